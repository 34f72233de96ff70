internal import Text
internal import Traces

/// The ships that a receiver of gpsd hears, each a device of its own.
extension ReceiverLogDecoder {
  /// Reads a line of class AIS.
  mutating func readShip(
    _ bytes: Span<UInt8>, _ line: ReceiverLine, _ batch: inout TraceBatch
  ) throws(JSONError) {
    guard let ships, let report = try AISReport(reading: bytes) else {
      return batch.mark(.otherRecord)
    }
    let fix = report.position.map { $0.fix(at: ships.time(second: $0.second)) }
    let ship = ShipReport(mmsi: report.mmsi, fix: fix, name: report.name, line: line.number)
    guard !keepsShipsApart else { return shipReports.append(ship) }
    guard let fix else { return batch.mark(.otherRecord) }
    let device = names.index(of: Array(ship.device.utf8).span, in: &batch.devices)
    batch.points.append(TracePoint(fix: fix, line: line.number, device: device))
  }

  /// Removes and returns the reports of ships since the last call.
  package mutating func takeShipReports() -> [ShipReport] {
    defer { shipReports.removeAll(keepingCapacity: true) }
    return shipReports
  }
}
