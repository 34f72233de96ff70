import Receivers
import TestSupport
import Testing
@testable import Traces
import Tracking

/// What the logs of real receivers showed, in sentences of our own.
@Suite("Habits of receivers")
struct ReceiverHabitsTests {
  /// 22 November 2026, 12:00.
  private let noon: Int64 = 1_795_348_800_000_000_000

  private func rmc(_ time: String) -> String {
    sentence("GPRMC,\(time),A,5412.0,N,00724.0,E,1,2,221126,,")
  }

  @Test(
    "what stands in the place of a missing position is not read",
    arguments: [
      "GPRMC,120000,V,36000.0000,N,72000.0000,E,0.0,,221126,,",
      "GPGLL,36000.0000,N,72000.0000,E,120000,V", "GPGLL,5412.0,N,00724.0,E,120000,N,V",
      "GPGGA,120000,99999.9,N,99999.9,E,0,00,50.0,0.0,M,0.0,M,,",
      "GNGNS,120000,99999.9,N,99999.9,E,NN,00,,,,,",
    ])
  func fillers(line: String) {
    let decoded = decodeReceiver(sentence("GPZDA,120000,22,11,2026,00,00") + sentence(line))
    #expect(decoded.points.map(\.fix.mode) == [.none] && decoded.issues.isEmpty)
    #expect(decoded.points.map(\.fix.time) == [Timestamp(nanoseconds: noon)])
  }

  @Test("a time in milliseconds and the same one rounded to hundredths are of one epoch")
  func roundedTimes() {
    let times = [("120019.295", "120019.30"), ("120020.303", "120020.30")]
    let text = times.map { fine, coarse in
      sentence("GPGLL,5412.0,N,00724.0,E,\(fine),A")
        + sentence("GPGGA,\(coarse),5412.0,N,00724.0,E,1,09,0.9,12.5,M,,,,") + rmc(coarse)
    }
    let decoded = decodeReceiver(text.joined())
    #expect(decoded.points.map(\.line) == [1, 4] && decoded.issues.isEmpty)
    #expect(decoded.points.allSatisfy { $0.fix.altitude == 12.5 && $0.fix.course == 2 })
    #expect(
      decoded.points.first?.fix.time == Timestamp(nanoseconds: noon + 19_295_000_000))
  }

  @Test(
    "the errors of a GST reach an epoch whose time another sentence rounded", arguments: [0, 1])
  func roundedErrors(place: Int) throws {
    var lines = [
      sentence("GPGLL,5412.0,N,00724.0,E,120010.295,A"),
      sentence("GPGGA,120010.30,5412.0,N,00724.0,E,1,09,0.9,12.5,M,,,,"), rmc("120010.30"),
    ]
    lines.insert(sentence("GPGST,120010.30,4.2,3.1,2.4,40.0,3.0,4.0,5.5"), at: place)
    let decoded = decodeReceiver(lines.joined())
    #expect(decoded.points.count == 1 && decoded.issues.isEmpty)
    let fix = try #require(decoded.points.first?.fix)
    #expect(isNear(fix.horizontalAccuracy, 5.3372, within: 0.001))
    #expect(isNear(fix.verticalAccuracy, 5.5, within: 1e-9))
  }

  @Test("a time before midnight and the same one rounded to it are of one epoch")
  func roundedToMidnight() {
    let fine = sentence("GPGLL,5412.0,N,00724.0,E,235959.996,A")
    let midnight = noon - 43_200_000_000_000
    for date in [rmc("000000.00"), sentence("GPZDA,000000.00,22,11,2026,00,00") + rmc("000000.00")]
    {
      let late = decodeReceiver(fine + date)
      #expect(late.points.map(\.fix.time?.nanoseconds) == [midnight - 4_000_000])
      #expect(late.points.allSatisfy { $0.fix.course == 2 } && late.issues.isEmpty)
    }
    let early = decodeReceiver(rmc("000000.00") + fine + rmc("000001.00"))
    #expect(early.points.map(\.fix.time?.nanoseconds) == [midnight, midnight + 1_000_000_000])
    let coarse = decodeReceiver(rmc("235959.99") + rmc("000000.00"))
    #expect(coarse.points.count == 2, "one form, so two times")
  }

  @Test("of binary data between the sentences the first piece is reported, the others are counted")
  func binary() {
    let bytes: [UInt8] = [0xB5, 0x62, 0x01, 0x07, 0xFF, 0x0A, 0xB5, 0x62, 0x80]
    let text = ["120000", "120001", "120002"].flatMap { bytes + Array(rmc($0).utf8) }
    let decoded = decode(text, with: ReceiverLogDecoder())
    #expect(decoded.points.count == 3)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:1 found 5 bytes that are no text (\"\u{FFFD}b??\u{FFFD}\"), expected a report of "
          + "gpsd ({…}) or an NMEA sentence ($…); more of these are counted; gpsdecode -j reads binary data of receivers"
      ])
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 5)
    let ones = Array(repeating: 1, count: text.count)
    #expect(decode(text, with: ReceiverLogDecoder(), pieces: ones) == decoded)
  }

  @Test("pieces of binary data that look like sentences, reports or short texts are counted too")
  func binaryLookalikes() {
    let pieces: [[UInt8]] = [
      [0xB5, 0x62, 0x01, 0x07], [0x24, 0x01, 0x2A, 0x02, 0x03], [0x7B, 0x80, 0x81],
      Array("rA}".utf8), Array("~".utf8),
    ]
    let damaged = rmc("120001").replacing("E,1", with: "E,\u{1}")
    let text = pieces.flatMap { $0 + [0x0A] } + Array((damaged + "a note\n" + rmc("120002")).utf8)
    let decoded = decode(text, with: ReceiverLogDecoder())
    #expect(decoded.points.count == 1)
    #expect(decoded.issues.map(\.line) == [1, 6, 7])
    #expect(decoded.issues.map(\.message).count { $0.contains("found the checksum") } == 1)
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 4)
    let ones = Array(repeating: 1, count: text.count)
    #expect(decode(text, with: ReceiverLogDecoder(), pieces: ones) == decoded)
  }

  @Test("texts in other encodings or with marks of direction are quoted, each of them")
  func oddTexts() {
    let text = Array("Notiz: M".utf8) + [0xFC] + Array("nchen\nto the left: \u{200F}x\n".utf8)
    let decoded = decode(text, with: ReceiverLogDecoder())
    let expected = "expected a report of gpsd ({…}) or an NMEA sentence ($…)"
    #expect(
      decoded.issues.map(\.message) == [
        "found \"Notiz: M\u{FFFD}nchen\", \(expected)", "found \"to the left: ?x\", \(expected)",
      ])
  }

  @Test("texts with the controls that terminals know are quoted, each of them")
  func terminalTexts() {
    let texts = ["50 %\r100 %", "ab\u{8}c", "ready\u{7}", "\u{C}a page", "a\u{B}b", "\u{1B}[1m"]
    let decoded = decodeReceiver(texts.map { $0 + "\n" }.joined())
    let shown = ["50 %?100 %", "ab?c", "ready?", "?a page", "a?b", "?[1m"]
    let expected = "expected a report of gpsd ({…}) or an NMEA sentence ($…)"
    #expect(decoded.issues.map(\.message) == shown.map { "found \"\($0)\", \(expected)" })
  }

  @Test(
    "a damaged sentence with its talker is an error, and so is a damaged report after a blank",
    arguments: [
      "$GP\u{1}MC,120001,A,5412.0,N,00724.0,E,1,2,221126,,*00\r\n",
      "$GN\u{2},120001*00\r\n", "{ \"class\":\"TPV\",\u{1}\"mode\":3}\n",
      "{\t\"class\":\u{3}}\n",
    ])
  func damaged(line: String) {
    let decoded = decodeReceiver(rmc("120000") + line + line + rmc("120002"))
    #expect(decoded.points.count == 2)
    #expect(decoded.issues.map(\.line) == [2, 3])
    #expect(decoded.issues.allSatisfy { !$0.message.contains("no text") }, "\(decoded.issues)")
  }

  @Test("a zero byte before every sentence is reported once, and the sentences are read")
  func zeroBytes() {
    let decoded = decodeReceiver("\0" + rmc("120000") + "\0" + rmc("120001"))
    #expect(decoded.points.count == 2)
    #expect(
      decoded.issues.map(\.message).count {
        $0.hasPrefix("found 1 byte that is no text (\"?\"), expected ")
      } == 1)
    #expect(decoded.issues.count == 1 && decoded.marks.count { $0.contains("otherRecord") } == 1)
  }

  @Test("a receiver with 200 fixes a second, whose times have one form, has a fix for each time")
  func quick() {
    let text = rmc("120000.000") + rmc("120000.005") + rmc("120000.010")
    #expect(decodeReceiver(text).points.count == 3)
  }
}
