extension ReceiverLogDecoder {
  /// The state of a device, as if its lines were alone.
  struct Channel {
    var state = ReceiverState()
    var epochs: ReceiverEpochs
    var sentences = NMEAReader()
    var hasReports = false
    var hasReportedOthers = false
    var receiver: GPSDDeviceKey?
    var watch: ReceiverWatch
    var compass = Compass()
    var ships: ShipClock?
  }
}
