import Formats
import Foundation
@testable import Playing
import TestSupport
import Testing
import Tracking

@Suite("A pipe of a table")
struct PipeTableTests {
  static let header = "device,time,latitude,longitude\n"
  static let row = "van,2025-03-10T08:00:00Z,0,0\n"

  private func pipe(
    _ text: String, threads: Int = 1, reading: ReadingOptions = ReadingOptions()
  ) throws -> PlayingFixture.Piped {
    let rules = Rules(fences: try FenceSet([.center()]))
    return try PlayingFixture().pipe(
      text, rules: rules, input: .csv, threads: threads, reading: reading)
  }

  @Test("reads its header once, however the rows are split", arguments: [1, 3])
  func header(threads: Int) throws {
    let rows = (0..<40_000).map { "van \($0 % 11),\(1_741_593_600 + $0),0,0.\($0 % 7)\n" }
    let piped = try pipe(Self.header + rows.joined(), threads: threads)
    #expect(piped.totals.lines == 40_001 && piped.totals.gate.received == 40_000)
    #expect(piped.totals.devices == 11 && piped.totals.problems == 0)
  }

  @Test("a header without rows is a table without fixes, and no problem")
  func noRows() throws {
    for text in [Self.header, "\n" + Self.header + "\n", String(Self.header.dropLast())] {
      let piped = try pipe(text)
      #expect(piped.warnings.isEmpty && piped.totals.problems == 0)
      #expect(piped.totals.gate.received == 0 && piped.totals.lines >= 1)
    }
  }

  @Test("counts lines from the header on")
  func places() throws {
    let piped = try pipe("\u{FEFF}\n" + Self.header + Self.row + "van,x,1\n" + Self.row)
    #expect(piped.warnings == ["in:4:1: found 3 cells, expected at least 4"])
    #expect(piped.totals.lines == 5 && piped.totals.gate.received == 2)
  }

  @Test("a cell contains no line break: one stray quote costs one line")
  func quotes() throws {
    let piped = try pipe(Self.header + "\"van\n" + "\"a \"\"b\"\"\",1741593600,0,0\n" + Self.row)
    #expect(piped.warnings.count == 1 && piped.warnings[0].hasPrefix("in:2:1: found a quote"))
    #expect(piped.lines.contains { $0.contains(#""device":"a \"b\"""#) })
    #expect(piped.totals.gate.received == 2)
  }

  @Test(
    "without a valid header nothing is read, which is reported",
    arguments: [
      ("", "there is no header"), ("\n\n", "there is no header"),
      (row, "the header names no column time"), ("a,\"b\n" + row, "the header is invalid"),
      ("a note\ndevice,time,latitude,longitude\n" + row, "the header names no column time"),
    ])
  func noHeader(text: String, says: String) throws {
    let piped = try pipe(text)
    #expect(piped.warnings.count == 1 && piped.warnings[0].contains(says), "\(piped.warnings)")
    #expect(piped.totals.problems == 1 && piped.totals.gate.received == 0)
  }

  @Test("a row of units is no fix, on any number of threads", arguments: [1, 2])
  func units(threads: Int) throws {
    let rows = Self.header + "name,UTC,deg,deg\n" + Self.row
    let piped = try pipe(rows, threads: threads)
    #expect(piped.warnings.count == 1 && piped.warnings[0].hasPrefix("in:2:"), "\(piped.warnings)")
    #expect(piped.totals.problems == 1 && piped.totals.gate.received == 1)
  }

  @Test("reads the columns and the zone that its user names", arguments: [1, 2])
  func reading(threads: Int) throws {
    var reading = ReadingOptions()
    reading.columns = try ColumnChoice(parsing: "time=zeit,latitude=breite,longitude=laenge")
    reading.zone = LocalZone(name: "Test/Zone") { _ in 7_200 }
    let text = "device,zeit,breite,laenge\nvan,2026-05-04 10:00:00,0.001,0.001\n"
    let piped = try pipe(text, threads: threads, reading: reading)
    #expect(piped.totals.problems == 0 && piped.totals.gate.received == 1)
    #expect(piped.lines.contains { $0.contains(#""time":"2026-05-04T08:00:00"#) })
    #expect(piped.warnings.contains("in: times without a zone are read as Test/Zone"))
    let line = #"{"device":"van","time":"2026-05-04T10:00:00","latitude":0.001,"longitude":0.001}"#
    let rules = Rules(fences: try FenceSet([.center()]))
    let lines = try PlayingFixture().pipe(
      line + "\n", rules: rules, threads: threads, reading: reading)
    #expect(lines.log == piped.log)
  }

  @Test("of an hour that comes twice takes the first, on any number of threads", arguments: [1, 2])
  func repeatedHour(threads: Int) throws {
    var reading = ReadingOptions()
    reading.zone = LocalZone(name: "Test/Zone") { $0 < 1_698_541_200 ? 7_200 : 3_600 }
    let rows = "van,2023-10-29 02:50:00,0.001,0\nvan,2023-10-29 02:10:00,0.001,0\n"
    let piped = try pipe(Self.header + rows, threads: threads, reading: reading)
    #expect(piped.totals.disordered == 1 && piped.totals.gate.received == 1)
    #expect(piped.warnings.contains { $0.hasSuffix("twice: they are read as the first") })
  }

  @Test("a table without a header begins with a row", arguments: [1, 2])
  func noHeaderNeeded(threads: Int) throws {
    var reading = ReadingOptions()
    reading.columns = try ColumnChoice(parsing: "device=1,time=2,latitude=3,longitude=4")
    let text = "van,1741593600,52.5,13.4\nbus,1741593600,52.5,13.4\nvan,1741593660,x,13.4\n"
    let piped = try pipe(text, threads: threads, reading: reading)
    #expect(piped.totals.lines == 3 && piped.totals.gate.received == 2)
    #expect(piped.totals.devices == 2 && piped.totals.problems == 1)
    #expect(piped.warnings.last?.hasPrefix("in:3:16: latitude is") == true)
    let marked = try pipe("\u{FEFF}" + text, threads: threads, reading: reading)
    // The id of a problem is that of its place in bytes.
    let isOther: (String) -> Bool = { !$0.contains(#""type":"problem""#) }
    #expect(marked.lines.filter(isOther) == piped.lines.filter(isOther))
    #expect(marked.warnings == piped.warnings)
    let certain = try pipe("1741593600,52.516,113.377\n1741593601,52.516,113.377\n")
    #expect(certain.totals.lines == 2 && certain.totals.gate.received == 2)
  }

  @Test("names the columns that it does not read")
  func columns() throws {
    let piped = try pipe("time,latitude,longitude,fuel\n1741593600,0,0,5\n")
    #expect(piped.warnings == ["in: columns that are not read: fuel"])
    #expect(piped.totals.problems == 0 && piped.lines.contains { $0.contains("\"stdin\"") })
  }

  @Test("skips an endless line", arguments: [PipeOptions.Input.csv, .ndjson])
  func endless(input: PipeOptions.Input) throws {
    let good = [
      PipeOptions.Input.csv: Self.row,
      .ndjson: #"{"device":"van","time":1741593600,"latitude":0,"longitude":0}"# + "\n",
    ]
    let text =
      (input == .csv ? Self.header : "") + String(repeating: "x", count: 3 << 20) + "\n"
      + (good[input] ?? "")
    for threads in [1, 2] {
      let piped = try PlayingFixture().pipe(text, rules: Rules(), input: input, threads: threads)
      #expect(piped.warnings.count == 1 && piped.warnings[0].contains("64 KiB"))
      #expect(piped.totals.gate.received == 1)
      #expect(piped.totals.lines == (input == .csv ? 3 : 2))
    }
  }
}
