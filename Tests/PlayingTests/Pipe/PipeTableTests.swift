import Foundation
@testable import Playing
import TestSupport
import Testing
import Tracking

@Suite("A pipe of a table")
struct PipeTableTests {
  static let header = "device,time,latitude,longitude\n"
  static let row = "van,2025-03-10T08:00:00Z,0,0\n"

  private func pipe(_ text: String, threads: Int = 1) throws -> PlayingFixture.Piped {
    let rules = Rules(fences: try FenceSet([.center()]))
    return try PlayingFixture().pipe(text, rules: rules, input: .csv, threads: threads)
  }

  @Test("reads its header once, however the rows are split", arguments: [1, 3])
  func header(threads: Int) throws {
    let rows = (0..<40_000).map { "van \($0 % 11),\(1_741_593_600 + $0),0,0.\($0 % 7)\n" }
    let piped = try pipe(Self.header + rows.joined(), threads: threads)
    #expect(piped.totals.lines == 40_001 && piped.totals.gate.received == 40_000)
    #expect(piped.totals.devices == 11 && piped.totals.problems == 0)
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
