@testable import Settings
@testable import GPSD
import Receivers
@testable import Session
import Foundation
@testable import Text
import Tracking

@testable import Services
@testable import Serving

extension Subject {
  /// Texts: numbers, times, and what stands in options.
  static let texts = [
    Subject(name: "decimal", decodes: "decimal numbers") { try checkDecimal($0) },
    Subject(name: "time", decodes: "dates and times") { try checkTime($0) },
    Subject(name: "option", decodes: "fences, measures, addresses and speeds of options") {
      try checkOption(String(decoding: $0, as: UTF8.self))
    },
  ]

  /// Numbers are those of the standard library, and refused are only texts that are none.
  private static func checkDecimal(_ bytes: [UInt8]) throws -> Bool {
    let number = DecimalNumber.parse(bytes.span)
    let text = String(decoding: bytes, as: UTF8.self)
    let expected = isDecimal(text) ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
    if isDecimal(text) || number == nil {
      try hold(
        "a number is read as the standard library does",
        number?.bitPattern == expected?.bitPattern, "\(text): \(String(describing: number))")
    }
    guard let number, number.magnitude < 1e15 else { return false }
    for decimals in [0, 2, 7] {
      var written: [UInt8] = []
      DecimalText.append(number, decimals: decimals, to: &written)
      let again = DecimalNumber.parse(written.span)
      let step = decimals == 0 ? 1 : decimals == 2 ? 0.01 : 1e-7
      try hold(
        "a number that is written is near", again.map { abs($0 - number) <= step } ?? false,
        "\(number) \(String(decoding: written, as: UTF8.self))")
    }
    return true
  }

  /// A sign, digits with a point, and an exponent; no blanks.
  private static func isDecimal(_ text: String) -> Bool {
    var rest = Substring(text).utf8
    func take(_ isMeant: (UInt8) -> Bool) -> Int {
      let found = rest.prefix(while: isMeant).count
      rest = rest.dropFirst(found)
      return found
    }
    func takeOne(of characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    let isDigit: (UInt8) -> Bool = { 0x30...0x39 ~= $0 }
    _ = takeOne(of: "+-")
    var digits = take(isDigit)
    if takeOne(of: ".") { digits += take(isDigit) }
    guard digits > 0 else { return false }
    guard takeOne(of: "eE") else { return rest.isEmpty }
    _ = takeOne(of: "+-")
    return take(isDigit) > 0 && rest.isEmpty
  }

  /// A time that is read is written, and read again, as it was; calendars agree.
  private static func checkTime(_ bytes: [UInt8]) throws -> Bool {
    if let time = TimeText.parse(bytes.span) {
      var exact: [UInt8] = []
      TimeText.appendExactly(time, to: &exact)
      try hold(
        "a time is read as it was written", TimeText.parse(exact.span) == time,
        String(decoding: exact, as: UTF8.self))
      var short: [UInt8] = []
      TimeText.append(time, to: &short)
    }
    guard let time = RFC3339.parse(bytes.span) else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.count == 20, bytes.last == UInt8(ascii: "Z"), !text.contains(":60") else {
      return true
    }
    var fields = tm()
    let numbers = text.split(whereSeparator: { "-T:Z tz".contains($0) }).compactMap { Int32($0) }
    guard numbers.count == 6 else { return true }
    (fields.tm_year, fields.tm_mon, fields.tm_mday) = (
      numbers[0] - 1_900, numbers[1] - 1, numbers[2]
    )
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (numbers[3], numbers[4], numbers[5])
    try hold(
      "a date is that of the C library", time.nanoseconds == timegm(&fields) * 1_000_000_000, text)
    return true
  }

  private static func checkOption(_ text: String) throws -> Bool {
    let fence = try? Fence(option: text)
    let length = Measure.length(text)
    if let length { try hold("a length is a number", length.isFinite && length >= 0, text) }
    let duration = Measure.duration(text)
    if let duration { try hold("a duration is a number", duration.isFinite && duration >= 0, text) }
    if let address = try? GPSDAddress(parsing: text) {
      let again = try? GPSDAddress(parsing: address.description)
      try hold("an address is read as it was written", again == address, address.description)
    }
    if let address = ListenAddress(text), address.host != nil {
      try hold(
        "an address is read as it was written", ListenAddress(address.description) == address, text)
    }
    _ = try? SourceDescription(parsing: text)
    let speed = PlaySpeed(argument: text)
    return fence != nil || length != nil || duration != nil || speed != nil
  }
}
