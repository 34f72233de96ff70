internal import Text
internal import Tracking

/// Finds the receiver's time in the lines of a recording, without decoding all of them.
enum ReportTime {
  private static let nanosecondsOfDay: Int64 = 86_400_000_000_000

  /// The time of a TPV in gpsd's form, with its class first, or of a position that a device sent; nil for any
  /// other line.
  static func of(_ line: ArraySlice<UInt8>) -> Timestamp? {
    guard
      line.starts(with: "{\"class\":\"TPV\"".utf8)
        || line.starts(with: "{\"class\":\"WAYMARK\",\"fix\":".utf8)
    else { return nil }
    var at = line.startIndex
    // The key is near the beginning, behind the device.
    while let quote = line[at...].firstIndex(of: UInt8(ascii: "\"")) {
      let rest = line[quote...]
      if rest.starts(with: key) {
        let value = rest.dropFirst(key.count).prefix { $0 != UInt8(ascii: "\"") }
        return RFC3339.parse(value.span)
      }
      at = quote + 1
    }
    return nil
  }

  private static let key = Array("\"time\":\"".utf8)

  /// The time of the last TPV among complete and truncated lines.
  static func last(in bytes: ArraySlice<UInt8>) -> Timestamp? {
    for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() {
      if let time = of(line) { return time }
    }
    return nil
  }

  /// Days since 1970 in UTC.
  static func day(of time: Timestamp) -> Int64 {
    let (day, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: nanosecondsOfDay)
    return rest < 0 ? day - 1 : day
  }

  /// As in a file name: `20261122T101500Z`.
  static func name(of time: Timestamp) -> String {
    var text: [UInt8] = []
    TimeText.append(time, to: &text)
    let second = text.prefix { $0 != UInt8(ascii: ".") }
    return String(decoding: second.filter { !"-:".utf8.contains($0) }, as: UTF8.self) + "Z"
  }
}
