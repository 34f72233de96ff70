package import Estimation

/// Numbers for people.
package enum Readable {
  /// `14.3`, with exactly so many decimals.
  package static func number(_ value: Double, decimals: Int) -> String {
    var text: [UInt8] = []
    DecimalText.append(value, decimals: decimals, to: &text)
    return text.span.string
  }

  /// `4.7 m`, `5 m`, `120 m`, `12.5 km`.
  package static func length(_ metres: Double) -> String {
    // From 9,999.5 m on, the metres would have five digits.
    if metres.magnitude >= 9_999.5 { return "\(number(metres / 1_000, decimals: 1)) km" }
    return "\(short(metres)) m"
  }

  /// `0.4 s`, `42 min 10 s`, `1 h 5 min`, `2 d 3 h`: the two largest units that are not 0.
  package static func duration(_ seconds: Double) -> String {
    guard seconds.magnitude >= 59.5, seconds.magnitude < 1e15 else { return "\(short(seconds)) s" }
    let sign = seconds < 0 ? "-" : ""
    let whole = Int64(seconds.magnitude.rounded())
    for (unit, smaller) in zip(units, units.dropFirst()) where whole >= unit.seconds {
      let rest = whole % unit.seconds / smaller.seconds
      let first = "\(sign)\(whole / unit.seconds) \(unit.name)"
      return rest == 0 ? first : "\(first) \(rest) \(smaller.name)"
    }
    return "\(sign)\(whole) s"
  }

  /// `2025-03-10 14:02:07.3Z`, or `2025-03-10 15:02:07.3+01:00` in another zone.
  package static func time(_ time: Timestamp, in zone: DisplayZone = .utc) -> String {
    var text: [UInt8] = []
    let civil = CivilTime(zone.shown(time), unit: 100_000_000)
    civil.appendDate(to: &text)
    text.append(UInt8(ascii: " "))
    civil.appendTimeOfDay(to: &text)
    text.append(UInt8(ascii: "."))
    DecimalText.append(digits: civil.fraction, atLeast: 1, to: &text)
    return text.span.string + zone.suffix(at: time)
  }

  /// `2025-03-10`.
  package static func date(_ time: Timestamp, in zone: DisplayZone = .utc) -> String {
    var text: [UInt8] = []
    // Rounded as the times of day are.
    CivilTime(zone.shown(time), unit: 1_000_000_000).appendDate(to: &text)
    return text.span.string
  }

  /// `14:02:07`.
  package static func timeOfDay(_ time: Timestamp, in zone: DisplayZone = .utc) -> String {
    var text: [UInt8] = []
    CivilTime(zone.shown(time), unit: 1_000_000_000).appendTimeOfDay(to: &text)
    return text.span.string
  }

  private static let units: [(name: String, seconds: Int64)] = [
    ("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1),
  ]

  /// One decimal below 9.95 unless it is 0, else none.
  private static func short(_ value: Double) -> String {
    guard value.magnitude < 9.95 else { return number(value, decimals: 0) }
    let text = number(value, decimals: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
