internal import Geodesy
internal import Text
internal import Traces

extension ReportedVisit {
  /// The stay as a line of a log.
  func line(of device: String) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.text("type", Self.type)
      json.text("device", device)
      json.time("arrival", arrival)
      if let departure { json.time("departure", departure) }
      json.number("latitude", coordinate.latitude, decimals: 7)
      json.number("longitude", coordinate.longitude, decimals: 7)
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }
}
