internal import Geodesy
internal import Text
internal import Tracking

/// The status of a live source for other programs: one JSON object, absent values left out.
///
///     {"status":"fix","device":"van","source":"gpsd://localhost:2947","time":"2025-03-10T14:02:07.000Z","latitude":52.5163000,"longitude":13.3777000,"accuracy":4.70}
enum StatusJSON {
  static func append(
    _ status: SourceStatus, device: String, source: String, fix: Fix?, to buffer: inout [UInt8]
  ) {
    buffer += Array("{\"status\":\"\(status.word)\",\"device\":".utf8)
    JSONText.append(device, to: &buffer)
    buffer += Array(",\"source\":".utf8)
    JSONText.append(source, to: &buffer)
    if case .lost(let reason) = status {
      buffer += Array(",\"reason\":".utf8)
      JSONText.append(reason, to: &buffer)
    }
    if let fix {
      if let time = fix.time {
        buffer += Array(",\"time\":\"".utf8)
        TimeText.append(time, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
      }
      add("latitude", fix.coordinate.latitude, decimals: 7, to: &buffer)
      add("longitude", fix.coordinate.longitude, decimals: 7, to: &buffer)
      if let accuracy = fix.horizontalAccuracy {
        add("accuracy", accuracy, decimals: 2, to: &buffer)
      }
    }
    buffer += Array("}\n".utf8)
  }

  private static func add(
    _ name: String, _ value: Double, decimals: Int, to buffer: inout [UInt8]
  ) {
    buffer += Array(",\"\(name)\":".utf8)
    DecimalText.append(value, decimals: decimals, to: &buffer)
  }
}
