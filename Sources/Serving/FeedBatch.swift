/// Some fixes on their way from the traces to the clients.
package struct FeedBatch: Sendable {
  /// Devices that report for the first time in it.
  package var newDevices: [ServedDevice] = []
  package var fixes: [ServedFix] = []

  package init() {}

  package var isEmpty: Bool { fixes.isEmpty && newDevices.isEmpty }

  /// Appends the batch as clients of a flavour get it; `board` knows the new devices already.
  func append(_ flavour: Flavour, on board: Board, to buffer: inout [UInt8]) {
    if flavour.json {
      let count = board.devices.count
      for index in count - newDevices.count..<count where isWanted(index, flavour) {
        board.appendDevice(index, to: &buffer)
        buffer.append(contentsOf: "\r\n".utf8)
      }
    }
    for served in fixes where isWanted(served.device, flavour) {
      // A receiver's sentences come before what gpsd makes of them.
      if flavour.nmea { NMEAReport.append(served.fix, to: &buffer) }
      if flavour.json {
        JSONReport.append(served.fix, of: board.devices[served.device].path, to: &buffer)
      }
    }
  }

  private func isWanted(_ device: Int, _ flavour: Flavour) -> Bool {
    flavour.device == nil || flavour.device == device
  }
}
