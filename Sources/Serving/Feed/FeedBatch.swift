/// Fixes on their way from the traces to the clients.
package struct FeedBatch: Sendable {
  /// Devices that report for the first time in this batch.
  package var newDevices: [ServedDevice] = []
  package var fixes: [ServedFix] = []

  package init() {}

  package var isEmpty: Bool { fixes.isEmpty && newDevices.isEmpty }

  /// Appends the batch in a format; `registry` already has the new devices.
  func append(_ format: ReportFormat, from registry: DeviceRegistry, to buffer: inout [UInt8]) {
    if format.json {
      let count = registry.devices.count
      for index in count - newDevices.count..<count where isWanted(index, format) {
        registry.appendDevice(index, to: &buffer)
        buffer.append(contentsOf: "\r\n".utf8)
      }
    }
    for served in fixes where isWanted(served.device, format) {
      // As gpsd does: the sentences of a receiver first, then the reports made from them.
      if format.nmea { NMEASentences.append(served.fix, to: &buffer) }
      if format.json {
        JSONReport.append(served.fix, of: registry.devices[served.device].path, to: &buffer)
      }
    }
  }

  private func isWanted(_ device: Int, _ format: ReportFormat) -> Bool {
    format.device == nil || format.device == device
  }
}
