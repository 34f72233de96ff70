import Geodesy
@testable import Playing
import Testing
import Tracking

@Suite("Statistics of a trace")
struct TraceStatisticsTests {
  /// A fix on the equator, where a thousandth of a degree of longitude is 111.319490793 m.
  private func fix(_ seconds: Double?, _ thousandths: Double) -> Fix {
    let start = Timestamp(nanoseconds: 1_741_593_600_000_000_000)
    return Fix(
      time: seconds.map { start.advanced(bySeconds: $0) },
      coordinate: Coordinate(latitude: 0, longitude: 1 + thousandths / 1_000))
  }

  private func statistics(_ fixes: [(Double?, Double)]) -> TraceStatistics {
    var statistics = TraceStatistics()
    for (seconds, thousandths) in fixes { statistics.add(fix(seconds, thousandths), device: "a") }
    return statistics
  }

  @Test("adds lengths and the time of steps faster than half a metre a second")
  func length() {
    // 111 m in 60 s, 56 m in 60 s, 22 m in 60 s (0.37 m/s), nothing in 60 s.
    let statistics = statistics([(0, 0), (60, 1), (120, 1.5), (180, 1.7), (240, 1.7)])
    #expect(statistics.points == 5)
    #expect(abs(statistics.length - 1.7 * 111.319490793) < 1e-6)
    #expect(abs(statistics.movingTime - 120) < 1e-9)
    #expect(statistics.medianInterval == 60)
    #expect(statistics.gaps == 0)
    #expect(statistics.last == fix(240, 0).time)
  }

  @Test("counts silences longer than a gap, and the longest of them")
  func gaps() {
    let length = TraceStatistics.gapLength
    let statistics = statistics([(0, 0), (length, 0), (2 * length + 1, 0), (3 * length + 11, 0)])
    #expect(statistics.gaps == 2)
    #expect(statistics.longestGap == length + 10)
  }

  @Test(
    "has the median step, the lower of two, and none above an hour",
    arguments: [
      ([0], nil), ([0, 10], 10), ([0, 10, 30], 10), ([0, 10, 30, 50], 20), ([0, 0.4, 0.8], 0),
      ([0, 3_600], 3_600), ([0, 3_602], nil), ([0, 1, 5_000, 10_000], nil),
    ] as [([Double], Int?)])
  func median(seconds: [Double], expected: Int?) {
    #expect(statistics(seconds.map { ($0, 0) }).medianInterval == expected)
  }

  @Test("ignores fixes that the engine would drop, except in the number of points")
  func dropped() {
    let statistics = statistics([(0, 0), (60, 1), (nil, 5), (-30, 9), (90, 500_000), (120, 2)])
    #expect(statistics.points == 6)
    #expect(abs(statistics.length - 2 * 111.319490793) < 1e-6)
    #expect(statistics.box == Box(south: 0, west: 1, north: 0, east: 1.002))
    #expect(statistics.counts.accepted == 3)
    #expect(statistics.counts.dropped == 3)
  }

  @Test("a slightly late fix is used, but is not a step")
  func late() {
    let statistics = statistics([(0, 0), (60, 1), (30, 9), (120, 2)])
    #expect(statistics.counts.accepted == 4)
    #expect(abs(statistics.length - 2 * 111.319490793) < 1e-6)
    #expect(statistics.box == Box(south: 0, west: 1, north: 0, east: 1.009))
    #expect(statistics.medianInterval == 60)
  }

  @Test("shows the box of a planned route that has no times")
  func withoutTimes() {
    let statistics = statistics([(nil, 3), (nil, -4), (nil, 500_000)])
    #expect(statistics.box == Box(south: 0, west: 0.996, north: 0, east: 1.003))
    #expect(statistics.first == nil)
    #expect(statistics.medianInterval == nil)
  }

  @Test("follows each device separately")
  func devices() {
    var statistics = TraceStatistics()
    for step in 0..<3 {
      statistics.add(fix(Double(step) * 60, Double(step)), device: "a")
      statistics.add(fix(Double(step) * 60 + 1, 100 + Double(step)), device: "b")
    }
    #expect(statistics.devices == ["a", "b"])
    #expect(abs(statistics.length - 4 * 111.319490793) < 1e-6)
    #expect(statistics.medianInterval == 60)
    #expect(abs(statistics.movingTime - 240) < 1e-9)
  }

  @Test("counts the known values of fixes")
  func known() {
    var statistics = TraceStatistics()
    for index in 0..<4 {
      var fix = fix(Double(index), 0)
      fix.horizontalAccuracy = index < 3 ? 5 : nil
      fix.speed = index < 2 ? 0 : nil
      fix.altitude = index < 1 ? -1 : nil
      statistics.add(fix, device: "a")
    }
    #expect([statistics.withAccuracy, statistics.withSpeed, statistics.withAltitude] == [3, 2, 1])
  }
}

@Suite("The summary of a trace")
struct TraceReportTests {
  private func report(_ text: String) throws -> (lines: [String], warnings: [String]) {
    let fixture = try PlayingFixture()
    var warnings: [String] = []
    let report = try TraceSummary(of: try fixture.feed("a.csv", text)) { warnings.append($0) }
    return (Array(report.lines.dropFirst()), warnings)
  }

  @Test("names ten devices and counts the others")
  func devices() throws {
    let rows = (10...21).map { "2025-03-10T08:00:00Z,0,0,d\($0)\n" }.joined()
    let lines = try report("time,latitude,longitude,device\n" + rows).lines
    #expect(
      lines.contains("  devices      12: d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, …"))
  }

  @Test("uses singular and plural")
  func words() throws {
    let gpx = """
      <gpx><wpt lat="1" lon="1"/><rte><rtept lat="1" lon="1"/></rte><trk><trkseg>\
      <trkpt lat="1" lon="1"><time>2025-03-10T08:00:00Z</time></trkpt>\
      <trkpt lat="1" lon="1"><time>2025-03-10T10:00:01Z</time></trkpt></trkseg></trk></gpx>
      """
    let lines = try report(gpx).lines
    #expect(lines.contains("  tracks       1, 1 segment"))
    #expect(lines.contains("  planned      1 route point, 1 waypoint"))
    #expect(lines.contains { $0.hasPrefix("  sampling     seldom, 1 gap over ") })
    #expect(lines.contains { $0.hasSuffix(", the longest 2 h") })
  }

  @Test("of an event log counts the skipped records")
  func records() throws {
    let lines = try report(
      """
      {"type":"fix","device":"van","time":"2025-03-10T08:00:00Z","latitude":1,"longitude":2}
      {"type":"enter","device":"van"}

      """
    ).lines
    #expect(lines.contains("  other records 1"))
    #expect(lines.contains("  devices      van"))
  }

  @Test("reports a hundred errors and counts the rest")
  func faults() throws {
    let rows = (0..<130).map { _ in "x,0,0,0\n" }.joined()
    let (lines, warnings) = try report("time,latitude,longitude\n" + rows)
    #expect(warnings.count == 100)
    #expect(
      lines.last
        == "  problem      130 errors in the file, the first 100 reported on standard error")
  }
}
