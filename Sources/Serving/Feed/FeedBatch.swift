/// Items on their way from the traces to the clients.
package struct FeedBatch: Sendable {
  /// Devices that report for the first time in this batch.
  package var newDevices: [ServedDevice] = []
  package var items: [FeedItem] = []

  package init() {}

  package var isEmpty: Bool { items.isEmpty && newDevices.isEmpty }

  /// Appends the batch in a format; `registry` already has the new devices.
  func append(_ format: ReportFormat, from registry: DeviceRegistry, to buffer: inout [UInt8]) {
    if format.json {
      let count = registry.devices.count
      for index in count - newDevices.count..<count
      where !registry.devices[index].isRecorded && isWanted(index, format) {
        registry.appendDevice(index, to: &buffer)
        buffer.append(contentsOf: "\r\n".utf8)
      }
    }
    for item in items {
      switch item {
      case .fix(let served): append(served, format, from: registry, to: &buffer)
      case .line(let line): line.append(format, to: &buffer)
      case .junk(let bytes): buffer += bytes
      case .disconnect: break
      }
    }
  }

  private func append(
    _ served: ServedFix, _ format: ReportFormat, from registry: DeviceRegistry,
    to buffer: inout [UInt8]
  ) {
    guard isWanted(served.device, format) else { return }
    // As gpsd does: the sentences of a receiver first, then the reports made from them.
    if format.nmea { NMEASentences.append(served.fix, served.solution, to: &buffer) }
    if format.json {
      JSONReport.append(
        served.fix, of: registry.devices[served.device].path, served.solution, to: &buffer)
    }
  }

  private func isWanted(_ device: Int, _ format: ReportFormat) -> Bool {
    format.device == nil || format.device == device
  }
}
