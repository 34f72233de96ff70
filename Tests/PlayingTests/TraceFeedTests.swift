import Foundation
import Geodesy
@testable import Playing
@testable import Session
import Testing
import Traces
import Tracking

@Test("a trace that is wrong in every line is counted, and only its first faults are kept")
func boundedIssues() throws {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("waymark-\(UUID().uuidString).csv").path
  defer { try? FileManager.default.removeItem(atPath: path) }
  let text = "time,latitude,longitude\n" + String(repeating: "x\n", count: 20_000)
  try text.write(toFile: path, atomically: false, encoding: .utf8)
  let feed = try TraceFeed(path: path)
  #expect(try feed.peek() == nil)
  #expect(feed.issueCount == 20_000)
  #expect(feed.takeIssues().count == TraceFeed.reportedIssues)
  #expect(feed.takeIssues().isEmpty)
}

@Test("that a trace ends early is reported behind any number of other errors")
func earlyEnd() throws {
  let fixture = try PlayingFixture()
  let rows = String(repeating: "0,x,2\n", count: 150)
  let feed = try fixture.feed("a.csv", "time,latitude,longitude\n" + rows + "0,1")
  #expect(try feed.peek() == nil)
  let issues = feed.takeIssues()
  #expect(issues.count == TraceFeed.reportedIssues + 1 && feed.issueCount == 151)
  #expect(issues.last?.kind == .truncated && issues.last?.line == 152)
  #expect(feed.unreportedIssues?.hasSuffix("a.csv: 50 more problems like these") == true)
}

@Test("columns that are not read are told in the summary and in the report")
func unreadColumns() throws {
  let fixture = try PlayingFixture()
  try fixture.write("a.csv", "time,latitude,longitude,heart rate\n2025-01-01T00:00:00Z,1,2,99\n")
  let line = "columns that are not read: heart rate"
  #expect(try fixture.play(["a.csv"]).totals.summary.contains { $0.hasSuffix("a.csv: \(line)") })
  let report = try TraceSummary(of: TraceFeed(path: "\(fixture.folder)/a.csv")) { _ in }
  #expect(report.lines.contains { $0.hasSuffix(line) })
}

@Test("only a pipe may make a reader wait")
func waiting() throws {
  let fixture = try PlayingFixture()
  let feed = try fixture.feed("a.csv", "time,latitude,longitude\n2025-01-01T00:00:00Z,1,2\n")
  #expect(!feed.mayWait)
}

/// What the summary of a replay and the report say of a file, without its name.
private func remarks(_ name: String, _ text: String) throws -> (replay: [String], info: [String]) {
  let fixture = try PlayingFixture()
  defer { withExtendedLifetime(fixture) {} }
  let path = try fixture.write(name, text)
  let summary = try fixture.play([name]).totals.summary
  let report = try TraceSummary(of: TraceFeed(path: path)) { _ in }
  return (
    summary.compactMap { $0.hasPrefix("\(path): ") ? String($0.dropFirst(path.count + 2)) : nil }
      .map { $0.replacing(path, with: name) },
    report.notes.map { $0.replacing(path, with: name) }
  )
}

@Test("a file whose fixes run backwards says so, and what to do")
func backwards() throws {
  let rows = (0..<20).map { (seconds: 30 * $0, longitude: 1.0) }
  let line =
    "its fixes run backwards in time (17 of 20); put them in order first: "
    + "waymark convert a.csv -o sorted.ndjson --sort"
  let found = try remarks("a.csv", table(rows.reversed()))
  #expect(found.replay == [line] && found.info == [line])
  let ordered = try remarks("a.csv", table(rows))
  #expect(ordered.replay == [] && ordered.info == [])
}

@Test("days that run backwards are no change of the clock", arguments: [13, 25, 48])
func daysBackwards(hours: Int) throws {
  let rows = (0..<20).map { (seconds: 3_600 * hours * $0, longitude: 1.0) }
  let found = try remarks("a.csv", table(rows.reversed()))
  let start = "its fixes run backwards in time ("
  let end = " of 20); put them in order first: waymark convert a.csv -o sorted.ndjson --sort"
  for lines in [found.replay, found.info] {
    #expect(lines.count == 1 && lines.allSatisfy { $0.hasPrefix(start) && $0.hasSuffix(end) })
  }
  let ordered = try remarks("a.csv", table(rows))
  #expect(ordered.replay == [] && ordered.info == [])
}

@Test("a clock that was set back once does not run backwards, nor do devices with other clocks")
func clockSetBack() throws {
  let day = 86_400
  let rows = (0..<40).map { (seconds: ($0 < 20 ? 9 * day : 0) + 30 * $0, longitude: 1.0) }
  let found = try remarks("a.csv", table(rows))
  #expect(found.replay == [] && found.info == [])
  var order = TrackOrder()
  order.add(
    (0..<20).map { index in
      let time = Timestamp(nanoseconds: Int64(index - index % 2 * 90) * 86_400_000_000_000)
      let fix = Fix(time: time, coordinate: Coordinate(latitude: 1, longitude: 2))
      return TracePoint(fix: fix, line: 1, device: Int32(index % 2))
    })
  #expect(!order.runsBackwards(20, late: 3))
}

@Test("a file whose tracks are not in the order of time says so, and what to do")
func tracksInDisorder() throws {
  let track = { (hour: String) in
    """
    <trk><name>\(hour)</name><trkseg>
    <trkpt lat="1" lon="2"><time>2026-03-01T\(hour):00:00Z</time></trkpt>
    <trkpt lat="1" lon="2"><time>2026-03-01T\(hour):00:30Z</time></trkpt></trkseg></trk>
    """
  }
  let gpx = { (hours: [String]) in
    #"<gpx version="1.1" creator="x">"# + hours.map(track).joined() + "</gpx>"
  }
  let line =
    "its tracks are not in the order of time; put them in order first: "
    + "waymark convert a.gpx -o sorted.gpx --sort"
  let found = try remarks("a.gpx", gpx(["08", "13", "10"]))
  #expect(found.replay == [line] && found.info == [line])
  let ordered = try remarks("a.gpx", gpx(["08", "10", "13"]))
  #expect(ordered.replay == [] && ordered.info == [])
}

@Test("only the tracks of one device have an order, and a minute is no disorder")
func orderOfTracks() {
  var order = TrackOrder()
  let begin = { (seconds: Int64?, device: Int32?) in
    let time = seconds.map { Timestamp(nanoseconds: $0 * 1_000_000_000) }
    let fix = Fix(time: time, coordinate: Coordinate(latitude: 1, longitude: 2))
    order.begin(with: [TracePoint(fix: fix, line: 1, device: device)])
  }
  begin(1_000, nil)
  begin(800, 0)
  begin(600, 1)
  begin(940, nil)
  begin(nil, 0)
  #expect(!order.isBroken)
  begin(700, 0)
  #expect(order.isBroken)
}

@Test("a path with characters that a shell reads otherwise is not part of the advice")
func pathInAdvice() throws {
  let rows = (0..<20).map { (seconds: 30 * $0, longitude: 1.0) }
  let found = try remarks("a b.csv", table(rows.reversed()))
  #expect(found.info.first?.hasSuffix("waymark convert FILE -o sorted.ndjson --sort") == true)
}

@Test(
  "waypoints alone are an error in every format, and a planned route in GPX is none",
  arguments: [
    (#"<gpx><wpt lat="1" lon="2"/></gpx>"#, 1),
    (#"<gpx><wpt lat="1" lon="2"/><trk><trkseg/></trk></gpx>"#, 1),
    (#"<gpx><wpt lat="1" lon="2"/><rte><rtept lat="1" lon="2"/></rte></gpx>"#, 0),
    ("<kml><Placemark><Point><coordinates>2,1</coordinates></Point></Placemark></kml>", 1),
    (#"{"type":"Point","coordinates":[2,1]}"#, 1),
    ("$GPWPL,4917.16,N,12310.64,W,003*65\n", 1),
  ])
func waypointsAlone(text: String, count: Int) throws {
  let fixture = try PlayingFixture()
  let feed = try fixture.feed("a", text)
  #expect(try feed.peek() == nil)
  let issues = feed.takeIssues()
  #expect(issues.count == count)
  #expect(
    issues.allSatisfy { $0.message == "there is no track, only 1 waypoint and 0 route points" })
}

@Test("a GPX file of waypoints beside the tracks of a folder is counted")
func waypointsInFolder() throws {
  let fixture = try PlayingFixture()
  try fixture.write("t/a.csv", table([(0, 1)]))
  try fixture.write("t/places.gpx", #"<gpx><wpt lat="1" lon="2"/></gpx>"#)
  let totals = try fixture.play(["t"]).totals
  #expect(totals.issues == 0 && totals.others.waypoints == 1)
}
