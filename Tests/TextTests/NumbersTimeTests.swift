import Glibc
import TestSupport
import Testing
@testable import Text
import Tracking

private func parse(_ text: String) -> Int64? {
  let bytes = Array(text.utf8)
  return RFC3339.parse(bytes.span)?.nanoseconds
}

private let noon: Int64 = 1_709_208_000_000_000_000

@Test(
  "every way of writing noon of 29 February 2024 is the same instant",
  arguments: [
    "2024-02-29T12:00:00Z", "2024-02-29t12:00:00z", "2024-02-29 12:00:00", "2024-02-29T12:00:00",
    "2024-02-29T14:00:00+02:00", "2024-02-29T14:00:00+0200", "2024-02-29T07:00:00-05",
    "2024-02-29T12:00:00.000Z", "2024-02-29T12:00:00,0Z", " \n2024-02-29T12:00:00Z\t",
    "2024-02-29T12:00:00.0000000009Z", "2024-02-29T11:59:60Z", "2024-03-01T11:59:60+23:59",
    "2024-02-29T12:00:00-00:00",
  ])
func sameInstant(text: String) {
  let expected = text.contains("+23:59") ? noon + 60_000_000_000 : noon
  #expect(parse(text) == expected)
}

@Test(
  "fractions, midnights and the ends of the range",
  arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1969-12-31T24:00:00Z", 0), ("1969-12-31T23:59:60Z", 0),
    ("1969-12-31T23:59:59.5Z", -500_000_000), ("1970-01-01T00:00:00.123456789Z", 123_456_789),
    ("1970-01-01T00:00:00.1234567899999999999999999999Z", 123_456_789),
    ("2000-02-29T00:00:00Z", 951_782_400_000_000_000),
    ("1678-01-01T00:00:00Z", -9_214_560_000_000_000_000),
    ("1678-01-01T23:59:00+23:59", -9_214_560_000_000_000_000),
    ("2261-12-31T23:59:59.999999999Z", 9_214_646_399_999_999_999),
    ("2261-12-31T00:00:59.999999999-23:59", 9_214_646_399_999_999_999),
  ] as [(String, Int64)])
func instants(text: String, nanoseconds: Int64) {
  #expect(parse(text) == nanoseconds)
}

@Test(
  "invalid times are rejected",
  arguments: [
    "", "2024-02-29", "2024-02-29T", "2024-02-29T12:00Z", "2024-02-30T12:00:00Z",
    "2023-02-29T12:00:00Z", "1900-02-29T12:00:00Z", "2024-00-01T12:00:00Z",
    "2024-13-01T12:00:00Z", "2024-01-00T12:00:00Z", "2024-04-31T12:00:00Z",
    "2024-02-29T24:00:01Z", "2024-02-29T24:00:00.1Z", "2024-02-29T25:00:00Z",
    "2024-02-29T12:60:00Z", "2024-02-29T12:00:61Z", "2024-02-29T12:00:00.Z",
    "2024-02-29T12:00:00+", "2024-02-29T12:00:00+2", "2024-02-29T12:00:00+24:00",
    "2024-02-29T12:00:00+02:60", "2024-02-29T12:00:00+02:", "2024-02-29T12:00:00Zx",
    "2024-02-29T12:00:00 Z", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z",
    "1678-01-01T23:58:59+23:59", "2261-12-31T00:01:00-23:59", "2261-12-31T24:00:00Z",
    "2261-12-31T23:59:60Z", "24-02-29T12:00:00Z",
    "2024/02/29T12:00:00Z", "2024-2-29T12:00:00Z", "-2024-02-29T12:00:00Z",
    "2024-02-29X12:00:00Z", "1709208000",
  ])
func refusesTime(text: String) {
  #expect(parse(text) == nil)
}

@Test("random instants are the ones that timegm makes", arguments: [11, 12] as [UInt64])
func agreesWithTimegm(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  for _ in 0..<50_000 {
    var instant = time_t(random.below(18_000_000_000) - 9_000_000_000)
    var parts = tm()
    gmtime_r(&instant, &parts)
    let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { two(Int($0)) }
    let text = "\(date[0])-\(two(date[1]))-\(two(date[2]))T\(clock.joined(separator: ":"))Z"
    #expect(timegm(&parts) == instant)
    if parse(text) != Int64(instant) * 1_000_000_000 {
      Issue.record("seed \(seed): \(text) gave \(String(describing: parse(text)))")
      return
    }
  }
}

private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
