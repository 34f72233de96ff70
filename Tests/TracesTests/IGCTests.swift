@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

@Suite("IGC")
struct IGCTests {
  private func read(_ text: String, pieces: [Int] = []) -> Decoded {
    decode(text, with: LineTraceDecoder<IGCContent>(), pieces: pieces)
  }

  private static let flight = """
    AXXXABC FLIGHT:1
    HFFXA035
    HFDTE100325
    HFPLTPILOTINCHARGE: Bloggs Bill D
    HFGIDGLIDERID: D-1234
    HFDTM100GPSDATUM:WGS-1984
    I053638FXA3940SIU4145GSP4648TRT4949TDS
    C100325121500100325000102
    F121000040610
    B1402075206343N00006198WA005870055801508072002705
    E140208PEV
    B1402085206344S00006199EA-0012-0012000--07200360-
    LXXXtext
    GREJNGJERJKNJKRE31895478537H43982FJN9248F942389T433T

    """.replacing("\n", with: "\r\n")

  @Test("fixes are read with their extensions, and other records are counted")
  func flight() throws {
    let decoded = read(Self.flight)
    #expect(decoded.issues.isEmpty, "\(decoded.issues)")
    #expect(decoded.points.map(\.line) == [10, 12])
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.time == Timestamp(nanoseconds: 1_741_615_327_500_000_000))
    #expect(
      fix.coordinate == Coordinate(latitude: 52 + 6.343 / 60, longitude: -(0 + 6.198 / 60)))
    #expect(fix.mode == .threeD && fix.ellipsoidalAltitude == 558 && fix.altitude == nil)
    // 2 sigma (95.45 %) of 15 m as 68 %.
    #expect(isNear(fix.horizontalAccuracy, 9.1, within: 0.01))
    #expect(fix.satellites == 8 && fix.speed == 20 && fix.course == 270)
    let second = try #require(decoded.points.last?.fix)
    #expect(second.horizontalAccuracy == nil && second.satellites == nil && second.course == 0)
    #expect(second.ellipsoidalAltitude == -12 && second.coordinate.latitude < 0)
    #expect(
      decoded.marks == [
        "0: otherRecord", "0: otherRecord", "0: track(name: Optional(\"D-1234\"))", "0: segment",
        "1: otherRecord", "2: otherRecord", "2: otherRecord",
      ])
  }

  private static let fixes =
    "B1402075206343N00006198WA0058700558\nB1402085206344N00006199WA0058700559\n"

  @Test(
    "the date has two forms, and two digits of a year",
    arguments: [
      ("HFDTE100325", 1_741_615_327), ("HFDTEDATE:100325,01", 1_741_615_327),
      ("HFDTEDATE: 100325", 1_741_615_327), ("HODTE 100395", 794_844_127),
    ])
  func dates(header: String, seconds: Int64) {
    let decoded = read("\(header)\n\(Self.fixes)")
    #expect(
      decoded.points.first?.fix.time == Timestamp(nanoseconds: seconds * 1_000_000_000))
  }

  @Test("the day goes on at midnight, and a repeated header does not set it back")
  func midnight() {
    let lines = [
      "HFDTE100325", "B2359595206343N00006198WA0058700558", "B0000015206343N00006198WA0058700558",
      "B2359585206343N00006198WA0058700558", "HFDTE100325", "B0000025206343N00006198WA0058700558",
      "HFDTE110325", "B0000035206343N00006198WA0058700558",
    ]
    let seconds = read(lines.joined(separator: "\n")).points.map {
      ($0.fix.time?.nanoseconds ?? 0) / 1_000_000_000 - 1_741_651_200
    }
    #expect(seconds == [-1, 1, -2, 2, 3])
  }

  @Test("without a date no fix has a time, which is reported once")
  func undated() {
    let decoded = read(Self.fixes)
    #expect(decoded.points.map(\.fix.time) == [nil, nil])
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:1 there is no date before this fix, expected HFDTE and DDMMYY"
      ])
  }

  @Test("a fix without satellites is no position when it repeats the last one, or has zeros")
  func validity() {
    let decoded = read(
      """
      HFDTE100325
      B1402075206343N00006198WV0058700000
      B1402085206343N00006198WV0058700000
      B1402095206343N00006198WA0058700558
      B1402105206344N00006198WV0058700558
      B1402110000000N00000000EV0058700000
      """)
    #expect(decoded.points.map(\.fix.mode) == [.twoD, .none, .threeD, .twoD, .none])
    #expect(decoded.points.map(\.fix.ellipsoidalAltitude) == [nil, nil, 558, nil, nil])
  }

  @Test("the altitude is above the sea where the header says so, and more decimals are used")
  func layout() throws {
    let decoded = read(
      "HFALGALTGPS:GEO\nHFDTE100325\nI023638LAD3941LOD\nB1402075206343N00006198WA0058700558123456")
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.altitude == 558 && fix.ellipsoidalAltitude == nil)
    #expect(abs(fix.coordinate.latitude - (52 + 6.343123 / 60)) < 1e-14)
    #expect(abs(fix.coordinate.longitude + 6.198456 / 60) < 1e-14)
  }

  @Test("the glider's sign is the track's name, else the pilot's; what is not known is none")
  func names() {
    for (headers, name) in [
      ("HFPLTPILOT:Ada\nHFGIDGLIDERID:NKN", "Optional(\"Ada\")"), ("HFPLTPILOT:\nHFGID:n/a", "nil"),
      ("HPGIDGLIDERID : D 1 \nHFPLT:Ada", "Optional(\"D 1\")"),
    ] {
      #expect(
        read("HFDTE100325\n\(headers)\n\(Self.fixes)").marks.first == "0: track(name: \(name))")
    }
  }

  @Test(
    "a datum other than WGS 84 is noted once",
    arguments: [
      ("HFDTM044GPSDATUM:ED50", "ED50"), ("HFDTMGPSDATUM: OSGB36", "OSGB36"),
      ("HFDTM044", "number 44 of the list of IGC"),
      ("HFDTM044GPSDATUM:NKN", "number 44 of the list of IGC"),
      ("HFDTM100GPSDATUM:WGS-1984", nil), ("HFDTM100", nil), ("HFDTMGPSDATUM:WGS84", nil),
      ("HFDTM000GPSDATUM:", nil), ("HFDTM", nil),
    ] as [(String, String?)])
  func datums(header: String, name: String?) {
    let decoded = read("\(header)\nHFDTE100325\n\(header)\n\(Self.fixes)")
    let notes = decoded.marks.filter { $0.contains("note(") }
    #expect(notes.count == (name == nil ? 0 : 1))
    if let name {
      #expect(notes.first?.contains("the datum is \(name), not WGS 84; ") == true)
    }
    #expect(decoded.points.count == 2 && decoded.issues.isEmpty)
  }

  @Test("files that are joined are tracks of their own")
  func joined() {
    let decoded = read(Self.flight + Self.flight.replacing("D-1234", with: "D-5678"))
    #expect(decoded.issues.isEmpty && decoded.points.count == 4)
    #expect(decoded.marks.contains("2: track(name: Optional(\"D-5678\"))"))
    #expect(decoded.points[0].fix == decoded.points[2].fix)
  }

  @Test(
    "a bad record is reported, and the next is read",
    arguments: [
      ("hello", #"record 2:1 found "hello", expected a record of IGC"#),
      ("B140207", #"record 2:1 found "B140207", expected a fix of 35 characters or more"#),
      (
        "B2502075206343N00006198WA0058700558",
        #"record 2:1 found "250207", expected a time as HHMMSS"#
      ),
      (
        "B1402075260000N00006198WA0058700558",
        #"record 2:1 found "5260000N", expected a latitude as DDMMmmmN"#
      ),
      (
        "B1402075206343N0000x198WA0058700558",
        #"record 2:1 found "0000x198W", expected a longitude as DDDMMmmmE"#
      ),
      ("B1402075206343N00006198WX0058700558", #"record 2:1 found "X", expected A or V"#),
      ("HFDTE310225", #"record 2:1 the date is "310225", expected six digits as DDMMYY"#),
      (
        "I02363", #"record 2:1 found "I02363", expected a list of extensions as I013638FXA"#
      ),
      (
        "I013534FXA",
        #"record 2:1 found the extension "3534FXA", expected its first and last character, from 36 on, and its code"#
      ),
    ])
  func badRecord(line: String, issue: String) {
    let decoded = read("HFDTE100325\n\(line)\n\(Self.fixes)")
    #expect(decoded.issues.map(\.shown) == [issue])
    #expect(decoded.points.map(\.line) == [3, 4])
  }

  @Test("line ends of any kind, blanks, XOFF and an end mark")
  func lineEnds() {
    let plain = Self.flight.replacing("\r\n", with: "\n")
    let expected = read(plain)
    for end in ["\r", "\r\n", " \r\n", "\n\u{13}"] {
      let decoded = read(plain.replacing("\n", with: end))
      #expect(decoded == expected, "\(end.debugDescription)")
    }
    #expect(read(plain + "\u{1A}\u{0}") == expected)
    #expect(read(plain.replacing("\n", with: "\r\r\n")).points.map(\.line) == [19, 23])
  }

  @Test("cut at any byte, the same is read")
  func cuts() {
    for text in [Self.flight, Self.flight.replacing("\r\n", with: "\r")] {
      let whole = read(text)
      for cut in 0...text.utf8.count { #expect(read(text, pieces: [cut]) == whole, "\(cut)") }
      #expect(read(text, pieces: Array(repeating: 1, count: text.utf8.count)) == whole)
    }
  }

  @Test("a cut fix is truncated, and a line that is too long is skipped")
  func limits() {
    let cut = read("HFDTE100325\n" + Self.fixes.dropLast(10))
    #expect(cut.points.count == 1 && cut.issues.map(\.kind) == [.truncated])
    for end in ["\r", "\n"] {
      let text = "HFDTE100325\(end)L" + String(repeating: "x", count: 70_000) + end + Self.fixes
      let long = read(text, pieces: [65_000, 5_014, 1])
      #expect(
        long.issues.map(\.shown) == [
          "record 2:1 found a line longer than 64 KiB, expected a record of IGC"
        ])
      #expect(long.points.count == 2)
    }
  }

  @Test("the content shows the format")
  func detection() {
    for text in [Self.flight, Self.flight.replacing("\r\n", with: "\r"), Self.fixes] {
      for count in 0...text.utf8.count {
        let head = Array(text.utf8.prefix(count))[...]
        let found = TraceFormat.detect(head, isFinal: count == text.utf8.count)
        #expect(found == .undecided && count < text.utf8.count || found == .format(.igc))
      }
    }
  }
}
