internal import Receivers
internal import Session
internal import Text
internal import Tracking

/// The ships that a gpsd reports by AIS, each a device that appears.
extension WatchRun {
  /// Processes lines of a gpsd one by one: the log has the events of the ships and of the receiver in the order
  /// of their lines, as the replay of the recording has.
  func receiveWithShips(
    _ bytes: ArraySlice<UInt8>, of index: Int, at now: ContinuousClock.Instant
  ) {
    var rest = bytes
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      hand(rest[..<end], of: index, at: now)
      rest = rest[end...]
      publish(index, at: now)
      for report in channels[index].session.takeShipReports() { take(report, of: index, at: now) }
    }
  }

  private func take(_ report: ShipReport, of source: Int, at now: ContinuousClock.Instant) {
    let device = report.device
    publisher.heard(ship: device, of: source)
    if let fix = report.fix {
      let index = channel(of: device, at: plan.sources[source].address.description, now)
      noteReport(of: index)
      channels[index].session.receive(fix, line: report.line, at: now)
      publisher.changed(index)
      publish(index, at: now)
    }
    if let name = report.name, let index = appeared[ExactText(device)] {
      channels[index].session.title = name
      publisher.changed(index)
    }
  }
}
