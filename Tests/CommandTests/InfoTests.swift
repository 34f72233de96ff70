import Foundation
import Testing

@Suite("waymark info", .timeLimit(.minutes(90)))
struct InfoTests {
  static let walk = """
    walk.csv
      format       CSV
      points       6
      devices      walk
      time         2025-03-10 08:00:00.0Z to 2025-03-10 08:05:00.0Z
      span         5 min
      moving       5 min
      length       557 m
      sampling     a fix every 1 min (median), 0 gaps over 5 min
      box          0.00000 to 0.00000 north, -0.00300 to 0.00200 east
      known        accuracy 100 %, speed 0 %, altitude 0 %

    """

  @Test("shows the contents of a table")
  func table() throws {
    let outcome = try Walk.runner().waymark("info walk.csv".words)
    #expect(outcome == CommandRunner.Outcome(output: Self.walk, errors: "", code: 0))
  }

  @Test("shows the contents of a track of several days")
  func track() throws {
    let outcome = try CommandRunner().waymark("info traces/two-days/track.gpx".words)
    #expect(
      outcome
        == CommandRunner.Outcome(
          output: """
            traces/two-days/track.gpx
              format       GPX
              producer     make-stories
              points       468
              tracks       2, 4 segments
              devices      To the hut
              time         2026-06-20 13:00:00.0Z to 2026-06-21 07:14:44.5Z
              span         18 h 14 min
              moving       1 h 6 min
              length       5770 m
              sampling     a fix every 10 s (median), 3 gaps over 5 min, the longest 15 h 50 min
              box          46.56897 to 46.58252 north, 11.67198 to 11.70202 east
              known        accuracy 100 %, speed 100 %, altitude 0 %

            """, errors: "", code: 0))
  }

  @Test("reports bad fixes, and excludes them from the box")
  func disordered() throws {
    let outcome = try CommandRunner().waymark("info traces/disordered/track.gpx".words)
    #expect(
      outcome
        == CommandRunner.Outcome(
          output: """
            traces/disordered/track.gpx
              format       GPX
              producer     make-stories
              points       496
              tracks       1, 1 segment
              devices      noor
              time         2026-05-08 15:00:00.0Z to 2026-05-08 15:33:22.1Z
              span         33 min 22 s
              moving       19 min 45 s
              length       6167 m
              sampling     a fix every 5 s (median), 0 gaps over 5 min
              box          47.36994 to 47.37635 north, 8.50996 to 8.54049 east
              known        accuracy 100 %, speed 100 %, altitude 0 %
              gate         18 late fixes put in order
              problem      14 dropped: no time (first on line 15)
              problem      14 dropped: coordinates that are not on Earth (first on line 21)
              problem      9 dropped: same time and place as the fix before (first on line 34)
              problem      15 dropped: same time as the fix before (first on line 9)
              problem      5 dropped: earlier than a fix already used (first on line 152)
              problem      14 dropped: a position jump that the next fix did not confirm
              problem      28 dropped: a clock jump that the next fix did not confirm

            """, errors: "", code: 0))
  }

  @Test("shows the contents of a route without times")
  func route() throws {
    let runner = try CommandRunner()
    try runner.write(
      "route.gpx",
      """
      <gpx version="1.1"><wpt lat="1" lon="2"/><rte><rtept lat="1" lon="2"/>\
      <rtept lat="1" lon="3"/></rte></gpx>
      """)
    let outcome = try runner.waymark("info route.gpx".words)
    #expect(
      outcome
        == CommandRunner.Outcome(
          output: """
            route.gpx
              format       GPX
              points       0
              planned      2 route points, 1 waypoint

            """, errors: "", code: 0))
  }

  @Test("continues after an unreadable file")
  func goesOn() throws {
    let outcome = try Walk.runner().waymark("info nosuch.gpx walk.csv".words)
    #expect(outcome.output.split(separator: "\n").count == 2)
    #expect(outcome.output.contains("walk.csv"))
    #expect(outcome.errors == "waymark: nosuch.gpx: no such file\n")
    #expect(outcome.code == 66)
  }

  @Test("shows several files as a table, and their notes as messages")
  func several() throws {
    let runner = try Walk.runner()
    try runner.write(
      "zoneless.csv",
      "time,latitude,longitude\n2025-03-10 08:00:00,1,2\n,1,2\n2025-03-10 08:01:00,1,2\n")
    try runner.write("route.gpx", #"<gpx><rte><rtept lat="1" lon="2"/></rte></gpx>"#)
    let outcome = try runner.waymark("info walk.csv zoneless.csv route.gpx".words)
    #expect(
      outcome
        == CommandRunner.Outcome(
          output: """
            file          format  points  dropped  errors  devices                   start   span  moving  length  gaps
            walk.csv         CSV       6        0       0        1  2025-03-10 08:00:00.0Z  5 min   5 min   557 m     0
            zoneless.csv     CSV       3        1       0        1  2025-03-10 08:00:00.0Z  1 min     0 s     0 m     0
            route.gpx        GPX       0        0       0        0                       -      -       -       -     -

            """,
          errors:
            "waymark: zoneless.csv: times without a zone are read as UTC; --csv-time-zone names another\n",
          code: 0))
  }

  @Test("writes a line of JSON for each file")
  func json() throws {
    let outcome = try Walk.runner().waymark("info walk.csv walk.csv --format jsonl".words)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines.first == lines.last)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data((lines.first ?? "").utf8)) as? [String: Any])
    #expect(object["path"] as? String == "walk.csv")
    #expect(object["format"] as? String == "CSV")
    #expect(object["points"] as? Int == 6)
    #expect(object["used"] as? Int == 6)
    #expect(object["dropped"] as? [String: Int] == [:])
    #expect(object["devices"] as? [String] == ["walk"])
    #expect(object["span"] as? Double == 300)
    #expect(object["moving"] as? Double == 300)
    #expect(object["length"] as? Double == 556.6)
    #expect(object["gaps"] as? Int == 0)
    #expect((object["start"] as? [String: Any])?["time"] as? String == "2025-03-10T08:00:00.000Z")
    #expect((object["box"] as? [String: Double])?["east"] == 0.002)
    #expect(outcome.code == 0)
  }

  @Test("names the start and the end when asked to, and reports when one has no name")
  func places() throws {
    let runner = try CommandRunner()
    try runner.write(
      "trip.csv",
      """
      time,latitude,longitude
      2025-03-10T08:00:00Z,52.5163,13.3777
      2025-03-10T12:00:00Z,48.8584,2.2945

      """)
    let outcome = try runner.waymark("info trip.csv --places".words)
    #expect(outcome.output.contains("\n  start        Berlin, Germany\n"))
    #expect(outcome.output.contains("\n  end          Paris"))
    #expect(outcome.errors == "")
    try runner.write("table.json", "[]")
    try runner.write("stub.yaml", "geocoder: {provider: stub, table: table.json}\n")
    let unnamed = try runner.waymark("info trip.csv --places --config stub.yaml".words)
    #expect(!unnamed.output.contains("start"))
    #expect(unnamed.errors.contains("waymark: trip.csv: the start has no name: "))
    #expect(unnamed.code == 0)
    try runner.write("none.yaml", "device: van\n")
    let none = try runner.waymark("info trip.csv --places --config none.yaml".words)
    #expect(none.errors.contains("the config names no geocoder"))
    #expect(none.code == 64)
  }

  @Test("drops what the gate of the config drops")
  func gate() throws {
    let runner = try CommandRunner()
    try runner.write(
      "late.csv",
      """
      time,latitude,longitude
      2025-03-10T08:00:00Z,1,2
      2025-03-10T08:01:00Z,1,2
      2025-03-10T08:00:50Z,1,2

      """)
    let inOrder = try runner.waymark("info late.csv".words)
    #expect(inOrder.output.contains("  gate         1 late fix put in order\n"))
    try runner.write("strict.yaml", "gate: {lateness: 0 s}\n")
    let dropped = try runner.waymark("info late.csv --config strict.yaml".words)
    #expect(
      dropped.output.contains(
        "  problem      1 dropped: earlier than a fix already used (first on line 4)\n"))
  }

  @Test(
    "counts what is dropped as replay does", arguments: ["disordered", "late-fixes", "commute"])
  func asReplay(story: String) throws {
    let track = "traces/\(story)/track.\(story == "late-fixes" ? "csv" : "gpx")"
    let info = try CommandRunner().waymark(["info", track]).output
    let replay = try CommandRunner().waymark(["replay", track]).errors
    func facts(_ text: String, _ pattern: Regex<(Substring, Substring, Substring)>) -> [String] {
      text.matches(of: pattern).map { "\($0.output.1) \($0.output.2)" }
    }
    let dropped = facts(info, /problem +(\d+) dropped: ([^(\n]+?)(?: \(.*)?\n/)
    #expect(dropped == facts(replay, /dropped (\d+) fix(?:es)?: ([^(\n]+?)(?: \(.*)?\n/))
    #expect(
      facts(info, /gate +(\d+) (.*)\n/) == facts(replay, /waymark: (\d+) (late .*)\n/))
    #expect(!dropped.isEmpty || story == "late-fixes")
  }
}

@Suite("waymark check", .timeLimit(.minutes(90)))
struct CheckTests {
  static let good = """
    device: van
    fences:
      - {id: depot, center: [52, 13], radius: 100 m}
      - id: site
        polygon: [[52.1, 13.1], [52.2, 13.1], [52.2, 13.3]]

    """
  static let summary = """
    good.yaml: valid
    device: van
    fences: 2 (1 circle, 1 polygon)
    area: 51.99910, 12.99854 to 52.20000, 13.30000
    notify: enter 2, exit 2, dwell 0
    decision: balanced 2
    visits: minimum-stay 5 min, radius 50 m
    significant-changes: distance 500 m, interval 5 min
    gate: clock-jump 1 d, memory 30 d, lateness 1 min

    """

  @Test("summarises a config")
  func good() throws {
    let runner = try CommandRunner()
    try runner.write("good.yaml", Self.good)
    let outcome = try runner.waymark("check good.yaml".words)
    #expect(outcome == CommandRunner.Outcome(output: Self.summary, errors: "", code: 0))
  }

  @Test("warns of surprising settings, without an error")
  func surprising() throws {
    let runner = try CommandRunner()
    try runner.write("good.yaml", Self.good.replacing("100 m", with: "5 m, dwell: 5 min"))
    let outcome = try runner.waymark("check good.yaml".words)
    #expect(
      outcome.output.hasSuffix(
        """
        good.yaml:3:10: warning: the radius of 'depot', 5 m, is below 10 m: even under open sky \
        it may never be sure that a device is inside
        good.yaml:3:10: warning: the dwell time of 'depot' has no effect, as its notify does not \
        name dwell

        """))
    #expect(outcome.errors == "")
    #expect(outcome.code == 0)
  }

  @Test("reports every error with its place")
  func faulty() throws {
    let runner = try CommandRunner()
    try runner.write(
      "bad.yaml", Self.good.replacing("[52, 13]", with: "[152, 13]").replacing("van", with: "''"))
    let outcome = try runner.waymark("check bad.yaml".words)
    #expect(outcome.output == "")
    #expect(outcome.errors.split(separator: "\n").count == 2)
    #expect(outcome.errors.contains("waymark: bad.yaml:1:9: device: found "))
    #expect(
      outcome.errors.contains("waymark: bad.yaml:3:26: fences[0].center[0]: found the latitude"))
    #expect(outcome.code == 78)
  }
}
