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
    let device = statistics.number(of: "a")
    for (line, (seconds, thousandths)) in fixes.enumerated() {
      statistics.add(fix(seconds, thousandths), of: device, line: line + 1)
    }
    return statistics
  }

  @Test("adds lengths and the time of steps faster than half a metre a second")
  func length() {
    // 111 m in 60 s, 56 m in 60 s, 22 m in 60 s (0.37 m/s), nothing in 60 s.
    let statistics = statistics([(0, 0), (60, 1), (120, 1.5), (180, 1.7), (240, 1.7)])
    #expect(statistics.points == 5)
    #expect(abs(statistics.steps.length - 1.7 * 111.319490793) < 1e-6)
    #expect(abs(statistics.steps.movingTime - 120) < 1e-9)
    #expect(statistics.medianInterval == 60)
    #expect(statistics.steps.gaps == 0)
    #expect(statistics.last?.time == fix(240, 0).time)
  }

  @Test("counts silences longer than a gap, and the longest of them")
  func gaps() {
    let length = StepTotals.shortestGap
    let statistics = statistics([(0, 0), (length, 0), (2 * length + 1, 0), (3 * length + 11, 0)])
    #expect(statistics.steps.gaps == 2)
    #expect(statistics.steps.longestGap == length + 10)
  }

  @Test("a gap adds nothing to the length and the moving time")
  func acrossGap() {
    // Silent for ten minutes and a kilometre.
    let statistics = statistics([(0, 0), (60, 1), (660, 10), (720, 11)])
    #expect(statistics.steps.gaps == 1)
    #expect(abs(statistics.steps.length - 2 * 111.319490793) < 1e-6)
    #expect(abs(statistics.steps.movingTime - 120) < 1e-9)
  }

  @Test("a silence that is usual for the device is no gap")
  func rhythm() {
    // Every hour; five hours are no gap, six are one.
    let hours = [0.0, 1, 2, 3, 4, 5, 10, 11, 12, 18]
    let statistics = statistics(hours.map { ($0 * 3_600, 100 * $0) })
    #expect(statistics.steps.gapLimit == 18_000.0)
    #expect(statistics.steps.gaps == 1)
    #expect(statistics.steps.longestGap == 6 * 3_600)
    #expect(abs(statistics.steps.length - 1_200 * 111.319490793) < 1e-5)
  }

  @Test("what is a gap follows from each device's own steps")
  func rhythms() {
    var statistics = TraceStatistics()
    let (fast, slow) = (statistics.number(of: "fast"), statistics.number(of: "slow"))
    for hour in 0..<6 {
      let seconds = Double(hour) * 3_600
      for second in 0..<10 {
        statistics.add(fix(seconds + Double(second), 0), of: fast, line: 1)
      }
      statistics.add(fix(seconds, 100 * Double(hour)), of: slow, line: 1)
    }
    #expect(statistics.steps.gaps == 5)
    #expect(statistics.steps.gapLimit == nil)
    #expect(abs(statistics.steps.length - 500 * 111.319490793) < 1e-5)
  }

  @Test("nothing joins the fixes of two segments")
  func acrossSegments() {
    var statistics = TraceStatistics()
    let device = statistics.number(of: "a")
    for step in 0..<4 {
      if step % 2 == 0 { statistics.beginSegment() }
      statistics.add(fix(60 * Double(step), 2 * Double(step)), of: device, line: 1)
    }
    #expect(abs(statistics.steps.length - 4 * 111.319490793) < 1e-6)
    #expect(abs(statistics.steps.movingTime - 120) < 1e-9)
    #expect(statistics.medianInterval == 60)
  }

  @Test("nothing joins the fixes before a position jump and after it, nor those of two clocks")
  func acrossJumps() {
    let year = 31_536_000.0
    let statistics = statistics([
      (0, 0), (60, 1), (120, 50_000), (180, 50_001), (240, 50_002), (240 - year, 50_003),
      (300 - year, 50_004),
    ])
    #expect(statistics.counts.accepted == 7)
    #expect(statistics.counts.believedTeleports == 1)
    #expect(statistics.counts.believedClockJumps == 1)
    #expect(abs(statistics.steps.length - 4 * 111.319490793) < 1e-5)
    #expect(abs(statistics.steps.movingTime - 240) < 1e-9)
  }

  @Test("both fixes count when the second confirms the first after a long silence")
  func confirmed() {
    let day = 86_400.0
    let statistics = statistics([(0, 0), (60, 1), (3 * day, 50), (3 * day + 60, 51)])
    #expect(statistics.counts.accepted == 4)
    #expect(statistics.steps.gaps == 1)
    #expect(statistics.steps.longestGap == 3 * day - 60)
    #expect(abs(statistics.steps.length - 2 * 111.319490793) < 1e-6)
  }

  @Test("knows the line of the first fix that was dropped for a reason")
  func firstLines() {
    let statistics = statistics([(0, 0), (nil, 1), (60, 1), (nil, 1), (60, 1)])
    #expect(statistics.firstDefects == [.timeless: 2, .duplicate: 5])
  }

  @Test("the start and the end are the first and the last by time")
  func ends() {
    let statistics = statistics([(30, 5), (0, 1), (60, 2)])
    #expect(statistics.first?.coordinate == fix(0, 1).coordinate)
    #expect(statistics.last?.coordinate == fix(0, 2).coordinate)
  }

  @Test(
    "has the median step, the lower of two, above an hour in whole minutes",
    arguments: [
      ([0], nil), ([0, 10], 10), ([0, 10, 30], 10), ([0, 10, 30, 50], 20), ([0, 0.4, 0.8], 0),
      ([0, 3_600], 3_600), ([0, 3_602], 3_600), ([0, 4_840], 4_860),
      ([0, 1, 5_000, 10_000], 4_980), ([0, 80_000], 79_980),
    ] as [([Double], Int?)])
  func median(seconds: [Double], expected: Int?) {
    #expect(statistics(seconds.map { ($0, 0) }).medianInterval == expected)
  }

  @Test("ignores fixes that the engine would drop, except in the number of points")
  func dropped() {
    let statistics = statistics([(0, 0), (60, 1), (nil, 5), (-30, 9), (90, 500_000), (120, 2)])
    #expect(statistics.points == 6)
    #expect(abs(statistics.steps.length - 2 * 111.319490793) < 1e-6)
    #expect(statistics.box == Box(south: 0, west: 1, north: 0, east: 1.002))
    #expect(statistics.counts.accepted == 3)
    #expect(statistics.counts.dropped == 3)
  }

  @Test("a slightly late fix is a step of the way, in the order of time")
  func late() {
    let statistics = statistics([(0, 0), (60, 1), (30, 9), (120, 2)])
    #expect(statistics.counts.accepted == 4)
    #expect(abs(statistics.steps.length - 18 * 111.319490793) < 1e-3)
    #expect(statistics.box == Box(south: 0, west: 1, north: 0, east: 1.009))
    #expect(statistics.medianInterval == 30)
  }

  @Test("a first fix that is ahead of those after it ends their way")
  func lateAfterFirst() {
    let statistics = statistics([(40, 4), (0, 0), (10, 1), (20, 2), (30, 3)])
    #expect(statistics.counts.reordered == 4)
    #expect(abs(statistics.steps.length - 4 * 111.319490793) < 1e-6)
    #expect(abs(statistics.steps.movingTime - 40) < 1e-9)
    #expect(statistics.medianInterval == 10)
  }

  @Test("a late fix where the device cannot have been is no step")
  func lateJump() {
    let statistics = statistics([(0, 0), (60, 1), (30, 9_000), (120, 2)])
    #expect(statistics.counts.reordered == 1)
    #expect(abs(statistics.steps.length - 2 * 111.319490793) < 1e-6)
    #expect(statistics.medianInterval == 60)
  }

  @Test("late fixes change nothing, wherever they come in a long way")
  func lateInLongWay() {
    var fixes: [(Double?, Double)] = (0..<500).map { (Double($0), Double($0) / 10) }
    let ordered = statistics(fixes)
    for place in stride(from: 0, to: 490, by: 7) { fixes.swapAt(place, place + 5) }
    let disordered = statistics(fixes)
    #expect(disordered.counts.reordered == 350 && disordered.counts.dropped == 0)
    #expect(abs(disordered.steps.length - ordered.steps.length) < 1e-6)
    #expect(abs(disordered.steps.movingTime - ordered.steps.movingTime) < 1e-6)
    #expect(disordered.medianInterval == 1)
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
    let (a, b) = (statistics.number(of: "a"), statistics.number(of: "b"))
    #expect(statistics.number(of: "a") == a)
    for step in 0..<3 {
      statistics.add(fix(Double(step) * 60, Double(step)), of: a, line: 1)
      statistics.add(fix(Double(step) * 60 + 1, 100 + Double(step)), of: b, line: 1)
    }
    #expect(statistics.devices == ["a", "b"])
    #expect(abs(statistics.steps.length - 4 * 111.319490793) < 1e-6)
    #expect(statistics.medianInterval == 60)
    #expect(abs(statistics.steps.movingTime - 240) < 1e-9)
  }

  @Test("counts the known values of fixes")
  func known() {
    var statistics = TraceStatistics()
    let device = statistics.number(of: "a")
    for index in 0..<4 {
      var fix = fix(Double(index), 0)
      fix.horizontalAccuracy = index < 3 ? 5 : nil
      fix.speed = index < 2 ? 0 : nil
      fix.altitude = index < 1 ? -1 : nil
      statistics.add(fix, of: device, line: 1)
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

  @Test("tracks and segments at different places add no way between them")
  func tracks() throws {
    func points(_ minute: Int, _ longitude: Double) -> String {
      (0..<3).map { step in
        """
        <trkpt lat="0" lon="\(longitude + Double(step) / 1_000)">\
        <time>2025-03-10T08:\(minute + step):00Z</time></trkpt>
        """
      }.joined()
    }
    let gpx = """
      <gpx creator="Ride &amp; Co"><trk><trkseg>\(points(10, 1))</trkseg>\
      <trkseg>\(points(13, 1.1))</trkseg></trk><trk><trkseg>\(points(16, 1.2))</trkseg></trk></gpx>
      """
    let lines = try report(gpx).lines
    #expect(lines.contains("  format       GPX"))
    #expect(lines.contains("  producer     Ride & Co"))
    #expect(lines.contains("  tracks       2, 3 segments"))
    #expect(lines.contains("  moving       6 min"))
    #expect(lines.contains("  length       668 m"))
  }

  @Test(
    "names the program or the receiver that made the trace",
    arguments: [
      (
        """
        <TrainingCenterDatabase><Activities><Activity><Lap><Track/></Lap>\
        <Creator><Name>Forerunner 945</Name></Creator></Activity></Activities>\
        <Author><Name>Connect</Name></Author></TrainingCenterDatabase>
        """, "Forerunner 945"
      ),
      (
        "<TrainingCenterDatabase><Author><Name>Connect</Name></Author></TrainingCenterDatabase>",
        "Connect"
      ),
      (
        """
        <kml xmlns:atom="a"><Document><atom:author><atom:name>My Tracks</atom:name></atom:author>\
        <name>Day</name></Document></kml>
        """, "My Tracks"
      ),
      (
        #"{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}"# + "\n",
        "gpsd 3.25"
      ),
      (
        """
        $GPGLL,4916.45,N,12311.12,W,225444,A
        $GNGLL,4916.45,N,12311.12,W,225445,A

        """, "talkers GN, GP"
      ),
    ])
  func producers(text: String, producer: String) throws {
    #expect(try report(text).lines.contains("  producer     \(producer)"))
  }

  @Test("a blank line before the XML declaration is a note, an empty element is nothing")
  func tolerated() throws {
    let (lines, warnings) = try report(
      """

      <?xml version="1.0"?>
      <gpx><trk><trkseg><trkpt lat="1" lon="2"><ele/><time>2025-03-10T08:00:00Z</time></trkpt>\
      <trkpt lat="1" lon="2"><ele></ele><time>2025-03-10T08:00:01Z</time></trkpt></trkseg></trk></gpx>
      """)
    #expect(warnings == [])
    #expect(lines.contains("  points       2"))
    #expect(lines.contains { $0.hasPrefix("  note ") && $0.contains("XML declaration") })
    #expect(!lines.contains { $0.hasPrefix("  problem ") })
  }

  @Test(
    "reports once the zone that was assumed for times without one",
    arguments: [
      ("", 1), ("Z", 0), ("+02:00", 0),
    ])
  func zone(zone: String, notes: Int) throws {
    let times = (0..<3).map { "2025-03-10T08:00:0\($0)\(zone)" }
    let texts = [
      "time,latitude,longitude\n" + times.map { "\($0),1,2\n" }.joined(),
      "<gpx><trk><trkseg>"
        + times.map { #"<trkpt lat="1" lon="2"><time>\#($0)</time></trkpt>"# }.joined()
        + "</trkseg></trk></gpx>",
      """
      <TrainingCenterDatabase><Activities><Activity><Lap><Track>\(times.map {
        """
        <Trackpoint><Time>\($0)</Time><Position><LatitudeDegrees>1</LatitudeDegrees>\
        <LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>
        """
      }.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
      """,
      "<kml><Placemark><Track>" + times.map { "<when>\($0)</when>" }.joined()
        + times.map { _ in "<coord>2 1 0</coord>" }.joined() + "</Track></Placemark></kml>",
      "<kml><Placemark><TimeSpan><begin>\(times[0])</begin><end>\(times[1])</end></TimeSpan>"
        + "<LineString><coordinates>2,1 2,1</coordinates></LineString></Placemark></kml>",
    ]
    for text in texts {
      let lines = try report(text).lines.filter {
        $0.contains("times without a zone are read as UTC")
      }
      #expect(lines.count == notes, "\(text)")
    }
  }

  @Test("tells what the gate would do with the fixes, and on which line it began")
  func gate() throws {
    let lines = try report(
      """
      time,latitude,longitude
      2025-03-10T08:00:00Z,1,0
      2025-03-10T08:01:00Z,1,0
      2025-03-10T08:01:00Z,1,0
      2025-03-10T08:00:30Z,1,0
      2025-03-10T08:02:00Z,50,0

      """
    ).lines
    #expect(lines.contains("  gate         1 late fix put in order"))
    #expect(lines.contains("  gate         1 fix unused: a jump that no later fix confirmed"))
    #expect(
      lines.contains(
        "  problem      1 dropped: same time and place as the fix before (first on line 4)"))
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
    #expect(lines.contains { $0.hasPrefix("  sampling     a fix every 2 h (median), 1 gap over ") })
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
