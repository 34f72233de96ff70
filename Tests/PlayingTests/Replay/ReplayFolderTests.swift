import EventLog
import Formats
@testable import Session
import TestSupport
import Testing
import Tracking

@Suite("A replay of a folder")
struct ReplayFolderTests {
  /// Inside for long, in silence over midnight, and out in the morning.
  static let days = [
    [(0, -0.003), (60, -0.002), (120, 0.0), (1_000, 0.0)],
    [(50_000, 0.0), (50_060, 0.003), (50_120, 0.004)],
    [(90_000, 0.003), (90_060, 0.0), (95_000, 0.0), (95_100, 0.004)],
  ]
  /// A minute between fixes, past the fence and back.
  static func day(_ day: Int) -> [(seconds: Int, longitude: Double)] {
    (0..<60).map { minute in
      let step = Double(abs(minute - 30) - 15)
      return (seconds: 86_400 * day + 60 * minute, longitude: 0.001 * step)
    }
  }

  private let all = Set(LogEntry.Kind.allCases)

  @Test("is that of its files in the order of time, and that of one file", arguments: [1, 3])
  func oneRecording(threads: Int) throws {
    let fixture = try PlayingFixture()
    for (name, day) in zip(["c", "a", "b"], Self.days) {
      try fixture.write("van/\(name).csv", table(day))
    }
    try fixture.write("one/van.csv", table(Self.days.flatMap(\.self)))
    let fences = [Fence.center(dwell: 600)]
    let folder = try fixture.play(
      ["van"], fences: fences, kinds: all, threads: threads, visits: VisitRules())
    let files = try fixture.play(
      ["van/c.csv", "van/a.csv", "van/b.csv"], fences: fences, device: "van", kinds: all,
      threads: threads, visits: VisitRules())
    let one = try fixture.play(
      ["one/van.csv"], fences: fences, kinds: all, threads: threads, visits: VisitRules())
    #expect(folder.lines.contains { $0.contains("dwell") })
    #expect(folder.lines == files.lines)
    #expect(folder.lines == one.lines)
    #expect(folder.totals.files == 3)
  }

  @Test("an event in the silence between two files is reported when it is due")
  func dwellBetweenFiles() throws {
    let fixture = try PlayingFixture()
    try fixture.write("van/b.csv", table([(0, -0.003), (60, 0.0), (120, 0.0)]))
    try fixture.write("van/a.csv", table([(50_000, 0.0)]))
    try fixture.write("bus.csv", table(stride(from: 0, through: 3_600, by: 600).map { ($0, 1.0) }))
    let log = try fixture.play(
      ["van", "bus.csv"], fences: [.center(dwell: 600)], kinds: [.dwell, .fix])
    let place = try #require(log.values("type").firstIndex(of: "dwell"))
    #expect(log.values("device")[place...].prefix(3) == ["van", "bus", "bus"])
  }

  @Test("of a hundred files is that of one file, whole or from a time on", arguments: [1, 3])
  func manyFiles(threads: Int) throws {
    let fixture = try PlayingFixture()
    let days = (0..<100).map(Self.day)
    for (day, rows) in days.enumerated() {
      try fixture.write("van/\(day * 37 % 100).csv", table(rows))
    }
    try fixture.write("one/van.csv", table(days.flatMap(\.self)))
    try fixture.write("bus.csv", table((0..<2_000).map { (4_320 * $0, 1.0) }))
    for from in [nil, Timestamp(nanoseconds: (1_741_593_600 + 50 * 86_400 + 600) * 1_000_000_000)] {
      let results = try [["van", "bus.csv"], ["one/van.csv", "bus.csv"]].map {
        try fixture.play(
          $0, fences: [.center(dwell: 600)], kinds: all, from: from, threads: threads)
      }
      #expect(results[0].lines.count > 4_000)
      #expect(results[0].lines == results[1].lines)
      #expect(results[0].totals.outsideSpan == results[1].totals.outsideSpan)
    }
  }

  @Test("a fix that several files have is used once", arguments: [1, 3])
  func duplicates(threads: Int) throws {
    let fixture = try PlayingFixture()
    let fixes = Self.days.flatMap(\.self)
    try fixture.write("one/van.csv", table(fixes))
    try fixture.write("van/a.csv", table(fixes))
    try fixture.write("van/b.csv", table(Array(fixes[2..<7])))
    try fixture.write("van/c.csv", table(Array(fixes[5...])))
    let fences = [Fence.center(dwell: 600)]
    let folder = try fixture.play(["van"], fences: fences, kinds: all, threads: threads)
    let one = try fixture.play(["one/van.csv"], fences: fences, kinds: all, threads: threads)
    #expect(folder.lines == one.lines)
    #expect(folder.totals.duplicates == 11)
    #expect(folder.totals.gate == one.totals.gate)
    #expect(
      folder.totals.summary.contains("11 duplicate fixes in several files, used once"))
  }

  @Test("another device, another position or another nanosecond is another fix")
  func others() throws {
    let fixture = try PlayingFixture()
    try fixture.write("t/a.csv", table([(0, 1)]))
    try fixture.write("t/b.csv", table([(0, 1.000_000_1)]))
    try fixture.write("t/c.csv", "time,latitude,longitude\n1741593600.000000001,0,1\n")
    try fixture.write("t/d.csv", table([(0, 1)], device: "bus"))
    #expect(try fixture.play(["t"], kinds: [.fix]).totals.duplicates == 0)
    #expect(try fixture.play(["t/a.csv", "t/b.csv"], kinds: [.fix]).totals.duplicates == 0)
    #expect(try fixture.play(["t/a.csv", "t/a.csv"], kinds: [.fix]).totals.duplicates == 0)
    #expect(
      try fixture.play(["t/a.csv", "t/a.csv"], device: "x", kinds: [.fix]).totals.duplicates == 1)
  }

  @Test("equal fixes of one file are left to the engine, in several copies of it too")
  func repeated() throws {
    let fixture = try PlayingFixture()
    let rows = [(0, 1.0), (0, 1.0), (60, 1.0), (30, 1.0), (120, 1.0)]
    try fixture.write("one/t.csv", table(rows))
    try fixture.write("t/a.csv", table(rows))
    try fixture.write("t/b.csv", table(rows))
    let (one, copies) = (
      try fixture.play(["one/t.csv"], kinds: all), try fixture.play(["t"], kinds: all)
    )
    #expect(one.totals.duplicates == 0 && one.totals.gate[.duplicate] == 1)
    #expect(copies.totals.duplicates == 5)
    #expect(copies.totals.gate == one.totals.gate)
    #expect(copies.lines == one.lines)
  }
}
