import Foundation
import TestSupport
import Testing
@testable import Text
import Tracking

@Suite struct TimeTextTests {
  @Test(
    "times are written in UTC to the nearest millisecond",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_741_615_327_300_000_000, "2025-03-10T14:02:07.300Z"),
      (499_999, "1970-01-01T00:00:00.000Z"), (500_000, "1970-01-01T00:00:00.001Z"),
      (-1, "1970-01-01T00:00:00.000Z"), (-1_000_000, "1969-12-31T23:59:59.999Z"),
      (-500_001, "1969-12-31T23:59:59.999Z"), (951_827_696_000_000_000, "2000-02-29T12:34:56.000Z"),
      (1_735_689_599_999_600_000, "2025-01-01T00:00:00.000Z"),
      (Int64.max, "2262-04-11T23:47:16.855Z"), (Int64.min, "1677-09-21T00:12:43.145Z"),
    ] as [(Int64, String)])
  func writes(nanoseconds: Int64, expected: String) {
    let time = Timestamp(nanoseconds: nanoseconds)
    #expect(written { TimeText.append(time, to: &$0) } == expected)
  }

  @Test("random times are written as Foundation writes them")
  func likeFoundation() {
    var generator = SeededGenerator(seed: 11)
    let style = Date.ISO8601FormatStyle()
    for _ in 0..<1_000 {
      let seconds = Int64.random(in: -9_000_000_000...9_000_000_000, using: &generator)
      let text = written {
        TimeText.append(Timestamp(nanoseconds: seconds * 1_000_000_000), to: &$0)
      }
      let expected = Date(timeIntervalSince1970: Double(seconds)).formatted(style)
      #expect(text == expected.dropLast() + ".000Z", "seed 11")
    }
  }

  @Test(
    "a time is RFC 3339, seconds or milliseconds",
    arguments: [
      ("2025-03-10T14:02:07.3Z", 1_741_615_327_300_000_000), ("0", 0), ("-1.5", -1_500_000_000),
      ("1741615327", 1_741_615_327_000_000_000),
      ("1741615327.300000001", 1_741_615_327_300_000_001),
      ("1741615327300", 1_741_615_327_300_000_000), ("1741615327300.25", 1_741_615_327_300_250_000),
      ("999999999999", nil), ("1e9", nil), ("1.", nil), (".5", nil), ("", nil), ("-", nil),
      ("+5", nil), ("99999999999999999999999", nil), ("yesterday", nil),
      ("9214646399.999999999", 9_214_646_399_999_999_999), ("9214646400", nil),
      ("-9214560000", -9_214_560_000_000_000_000), ("-9214560000.000000001", nil),
      ("9220000010000", nil), ("9223372036", nil), ("9223372036.999", nil), ("-9223372036.9", nil),
      ("12 ", nil), ("1.5x", nil),
    ] as [(String, Int64?)])
  func reads(text: String, nanoseconds: Int64?) {
    #expect(TimeText.parse(Array(text.utf8).span)?.nanoseconds == nanoseconds)
  }

  @Test(
    "of what may be a time but for its year the years are named beside the form",
    arguments: [
      ("1600-01-01T00:00:00Z", true), ("9999-12-31 23:59:59", true), ("2262-01-01T00:00:00Z", true),
      ("10.03.1600 14:02", true), ("0000-01-01T00:00:00+02:00", true),
      ("99999999999", true), ("-9214560000.5", true), ("99999999999999999999999", true),
      ("202503101402", true),
      ("2024-02-30T00:00:00Z", false), ("1600-02-30T00:00:00Z", false),
      ("12024-01-01T00:00:00Z", false), ("1600-01-01", false), ("yesterday", false), ("", false),
      ("-", false), ("1.", false), ("1e99", false), ("1.2.3", false),
    ])
  func range(text: String, isOut: Bool) {
    let bytes = Array(text.utf8)
    #expect(
      TimeText.expectation(for: bytes.span, "a time", takesNumbers: true)
        == (isOut ? "a time, of the years 1678 to 2261" : "a time"))
    let isNumber = text.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
    #expect(
      TimeText.expectation(for: bytes.span, "a time")
        == (isOut && !isNumber ? "a time, of the years 1678 to 2261" : "a time"))
  }
}
