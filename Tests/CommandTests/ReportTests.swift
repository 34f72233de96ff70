import Foundation
import TestSupport
import Testing

/// Pages of `waymark report`, as Chromium shows them.
@Suite("Reports in a browser", .timeLimit(.minutes(90)), .serialized)
struct ReportTests {
  /// What Tests/Peers/report-page.py finds.
  struct Findings: Decodable {
    var requests: [String]
    var complaints: [String]
    var axe: [String]
    var ids: [String]
    var texts: [String]
    var title: String
    var totals: String
    var errors: [String: Double?]
    var overflow: Int
    var scale: String
    var noscript: String
    var footer: String
    /// The commonest colour of the map.
    var ground: String
    /// All days, and then each.
    var days: [Day]
  }

  /// What a page says of a day.
  struct Day: Decodable, Hashable {
    /// `NAME HOURS`, the most hours first.
    var places: [String]
    /// Visits and trips.
    var timeline: [String]
  }

  /// A line of the event log.
  struct Line: Decodable {
    var id: String
    var latitude: Double?
    var retracted: Bool?
  }

  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test("show every event of the log at its pixel, request nothing, and pass axe")
  func stories() throws {
    let tracks = [
      "commute/track.gpx", "dwell/track.gpx", "polygon-with-hole/track.gpx", "fleet/track.csv",
      "antimeridian/track.gpx",
    ]
    let pages = tracks.map { $0.replacing("/", with: "-") + ".html" }
    for (track, page) in zip(tracks, pages) {
      try report(["traces/\(track)", "--config", config(of: track)], to: page)
    }
    for (track, page) in zip(tracks, try open(pages)) {
      let log = try standing(runner.read(config(of: track, file: "events.jsonl")))
      #expect(page.ids.sorted() == log.keys.sorted(), "\(track)")
      let placed = log.values.filter { $0.latitude != nil }.map(\.id)
      #expect(page.errors.keys.sorted() == placed.sorted(), "\(track)")
      for (id, error) in page.errors { #expect((error ?? .infinity) < 2, "\(track) \(id)") }
      #expect(page.noscript.split(separator: "\n").count >= log.count, "\(track)")
      #expect(page.scale.contains(/^[0-9.]+ nm$/), "\(track)")
      check(page)
      if track == tracks[0] { try checkTotals(of: page, "traces/\(track)") }
    }
  }

  /// A file beside a track of `traces`.
  private func config(of track: String, file: String = "waymark.yaml") -> String {
    "traces/\(track.prefix { $0 != "/" })/\(file)"
  }

  /// What holds for every page.
  private func check(_ page: Findings) {
    #expect(page.requests.allSatisfy { $0.hasPrefix("file:///") && $0.hasSuffix(".html") })
    #expect(page.complaints == [])
    #expect(page.axe == [])
    #expect(page.overflow <= 0)
  }
  @Test("show names with markup, quotes and marks of direction as text")
  func hostileNames() throws {
    let name = "</script><script>alert(1)</script><!--\"'&\u{202E}\u{2028}\u{5D0}"
    try runner.write(
      "walk.csv",
      "device,time,latitude,longitude,accuracy\n"
        + (0..<120).map { second in
          "\"\(name.replacing("\"", with: "\"\""))\",\(1_700_000_000 + second),0.0\(second + 100),0,5\n"
        }.joined())
    let quoted = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    try runner.write("here.yaml", "fences: [{id: \(quoted), center: [0.016, 0], radius: 200 m}]\n")
    try report(["walk.csv", "--config", "here.yaml"])
    let page = try open("page.html")
    check(page)
    #expect(page.title.contains("</script><script>alert(1)</script><!--"))
    #expect(page.texts.contains { $0.contains("Entered </script>") })
    #expect(page.noscript.contains("alert(1)"))
  }

  @Test("show a walk over the pole at the edge of the map")
  func poles() throws {
    var rows = "device,time,latitude,longitude,accuracy\n"
    for step in -100...100 {
      let (latitude, longitude) = (90 - abs(Double(step)) * 1e-3, step < 0 ? 20 : -160)
      rows += "walker,\(1_700_000_000 + 60 * step),\(latitude),\(longitude),5\n"
    }
    try runner.write("walk.csv", rows)
    try runner.write(
      "here.yaml",
      """
      fences:
        - {id: pole, center: [90, 0], radius: 3 km}
        - {id: camp, center: [89.95, 20], radius: 1 km}
        - {id: south, polygon: [[-80, 0], [-80, 120], [-80, -120]]}

      """)
    try report(["walk.csv", "--config", "here.yaml"])
    let page = try open("page.html")
    check(page)
    #expect(page.texts.contains { $0.contains("Entered pole") })
    #expect(page.errors.count > 4)
    for (id, error) in page.errors { #expect((error ?? .infinity) < 2, "\(id)") }
  }

  @Test("are the same bytes for the same input, on any number of threads")
  func sameBytes() throws {
    let fleet = ["traces/fleet/track.csv", "--config", "traces/fleet/waymark.yaml"]
    try report(fleet + ["--svg", "first.svg"], to: "first.html")
    try report(fleet + ["--svg", "second.svg", "--threads", "4"], to: "second.html")
    #expect(try runner.read("first.html") == runner.read("second.html"))
    #expect(try runner.read("first.svg") == runner.read("second.svg"))
  }

  /// Whether the page has the distance of `info`.
  private func checkTotals(of page: Findings, _ track: String) throws {
    let info = try runner.waymark(["info", track]).output
    let length = try #require(info.firstMatch(of: /([0-9.]+) km/)?.1)
    let shown = try #require(page.totals.firstMatch(of: /([0-9.]+) km/)?.1)
    #expect(abs(try #require(Double(length)) - (try #require(Double(shown)))) < 0.06)
  }

  @Test("add no distance over a gap, as info does")
  func gaps() throws {
    // 20 km, two hours of silence in which 300 km are gone, 20 km.
    let rows = (0..<400).map { number in
      let late = number < 200 ? 0 : 1
      return "\(1_700_000_000 + number * 10 + late * 7_200),"
        + "\(52 + Double(number) * 0.0009 + Double(late) * 2.7),13,5\n"
    }
    try runner.write("drive.csv", "time,latitude,longitude,accuracy\n" + rows.joined())
    try report(["drive.csv"])
    try checkTotals(of: try open("page.html"), "drive.csv")
  }

  @Test("add no distance over a jump and between segments, as info does")
  func jumps() throws {
    // 16 km at 20 m/s, and 16 km more 450 km away.
    let rows = (0..<400).map { number in
      let isFar = number >= 200
      let latitude = (isFar ? 48.1 : 52) + Double(number) * 7.2e-4
      return "\(1_700_000_000 + number * 4),\(latitude),\(isFar ? 11.5 : 13),5\n"
    }
    try runner.write("jump.csv", "time,latitude,longitude,accuracy\n" + rows.joined())
    // Two segments of 16 km, and a minute and 1.5 km between them.
    let points = (0..<400).map { number in
      let (hours, rest) = (number * 4 + (number < 200 ? 0 : 60)).quotientAndRemainder(
        dividingBy: 3_600)
      let time = [8 + hours, rest / 60, rest % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      let latitude = 52 + Double(number) * 7.2e-4 + (number < 200 ? 0 : 0.0135)
      return (number == 200 ? "</trkseg><trkseg>" : "") + "<trkpt lat='\(latitude)' lon='13'>"
        + "<time>2026-05-04T\(time.joined(separator: ":"))Z</time></trkpt>"
    }
    try runner.write("parts.gpx", "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
    for track in ["jump.csv", "parts.gpx"] {
      try report([track])
      try checkTotals(of: try open("page.html"), track)
    }
  }

  @Test("show a visit on each of its days, also without a fix, until there is no more data")
  func days() throws {
    // From 14:00 in Berlin until 12:30 three days later, nothing on the third day.
    let rows = (0..<144).filter { !(60..<120).contains($0) }.map { number in
      "\(1_761_220_800 + number * 1_800),52.500\(number * 7 % 5)0,13.3,8\n"
    }
    try runner.write("stay.csv", "time,latitude,longitude,accuracy\n" + rows.joined())
    try report(["stay.csv"])
    let page = try open("page.html")
    check(page)
    #expect(
      page.days.flatMap(\.places)
        == [
          "2 d 23 h", "10 h 00 min", "24 h 00 min", "24 h 00 min", "13 h 30 min",
        ].map { "52.5000, 13.3000 \($0)" })
    for day in page.days { #expect(day.timeline == ["52.5000, 13.3000 for 2 d 23 h"]) }
  }

  @Test("have a row for each place, with the name of the fence or else that of the geocoder")
  func places() throws {
    var rows = "time,latitude,longitude,accuracy\n"
    var time = 1_761_220_800
    func add(_ count: Int, _ latitude: (Int) -> Double) {
      for number in 0..<count {
        rows += "\(time),\(latitude(number)),13.3,8\n"
        time += 60
      }
    }
    func stay(_ latitude: Double, _ count: Int) {
      add(count) { latitude + Double($0 * 7 % 5 - 2) * 2e-6 }
    }
    // Two hours at home, an hour at work, two hours at home, 61 m from where it was.
    stay(52.5, 120)
    add(19) { 52.5 + Double($0 + 1) * 7.5e-4 }
    stay(52.515, 60)
    add(19) { 52.515 - Double($0 + 1) * 7.225e-4 }
    stay(52.50055, 120)
    add(19) { 52.50055 + Double($0 + 1) * 7.225e-4 }
    try runner.write("walk.csv", rows)
    let fence =
      "{id: home, polygon: [[52.4995, 13.299], [52.4995, 13.301], [52.5002, 13.301], "
      + "[52.5002, 13.299]]}"
    try runner.write("named.yaml", "geocoder: {provider: gazetteer}\n")
    try runner.write("home.yaml", "geocoder: {provider: gazetteer}\nfences: [\(fence)]\n")
    let town = "Charlottenburg, Berlin, Germany"
    let cases: [(config: [String], home: String, work: String)] = [
      ([], "52.5000, 13.3000", "52.5150, 13.3000"),
      (["--config", "named.yaml"], "\(town) (52.5000, 13.3000)", "\(town) (52.5150, 13.3000)"),
      (["--config", "home.yaml"], "home", town),
    ]
    for (config, home, work) in cases {
      try report(["walk.csv"] + config)
      #expect(
        try open("page.html").days.first?.places == ["\(home) 3 h 58 min", "\(work) 59 min"])
    }
  }

  /// Two minutes' walk without events, and a config with these tiles.
  private func writeWalk(tiles: String) throws {
    try runner.write(
      "walk.csv",
      "device,time,latitude,longitude,accuracy\n"
        + (0..<120).map { "van,\(1_700_000_000 + $0),52.\($0 + 500),13,5\n" }.joined())
    try runner.write(
      "map.yaml", "visits: false\nsignificant-changes: false\ntiles: \(tiles)\n")
  }

  @Test("show the tiles of an MBTiles file, which are in the page")
  func tiles() throws {
    try runner.writeTiles("map.mbtiles")
    try writeWalk(tiles: "map.mbtiles")
    try report(["walk.csv", "--config", "map.yaml"])
    let page = try open("page.html")
    #expect(page.ground == "255,0,255")
    #expect(page.footer.contains("Tiles: Some & others"))
    #expect(page.footer.contains("requests nothing from any network"))
    #expect(page.requests.allSatisfy { $0.hasSuffix("/page.html") || $0.hasPrefix("data:") })
    #expect(page.complaints == [])
    #expect(page.axe == [])
  }

  @Test("request tiles from the server of the config, and nothing else")
  func tileServer() throws {
    try writeWalk(
      tiles: "{source: 'https://tile.example.org/{z}/{x}/{y}.png', attribution: Somebody}")
    try report(["walk.csv", "--config", "map.yaml"])
    let policy = try #require(
      runner.read("page.html").firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)?.1)
    #expect(policy.contains("img-src data: https://tile.example.org; base-uri"))
    let page = try open("page.html")
    #expect(page.ground == "255,0,255")
    #expect(page.footer.contains("requests the tiles of its map from https://tile.example.org"))
    #expect(page.footer.contains("Tiles: Somebody"))
    let tiles = page.requests.filter { !$0.hasSuffix("/page.html") }
    #expect(!tiles.isEmpty)
    #expect(
      tiles.allSatisfy {
        $0.wholeMatch(of: /https:\/\/tile\.example\.org\/\d+\/\d+\/\d+\.png/) != nil
      })
    #expect(page.complaints == [])
    #expect(page.axe == [])
  }

  @Test("end with one error for tiles that cannot be read")
  func badTiles() throws {
    try writeWalk(tiles: "map.mbtiles")
    try runner.write("map.mbtiles", "no tiles")
    for command in ["report walk.csv --config map.yaml -o page.html", "check map.yaml"] {
      let outcome = try runner.waymark(command.words)
      #expect(outcome.code == 78)
      #expect(
        outcome.errors == "waymark: map.yaml:3:8: tiles: map.mbtiles: "
          + "cannot read map tiles: it is not an MBTiles file\n")
    }
    #expect(!runner.exists("page.html"))
  }

  @Test("show the events of the hindsight pass")
  func hindsight() throws {
    let story = ["traces/commute/track.gpx", "--config", "traces/commute/waymark.yaml"]
    try report(story + ["--hindsight"])
    let log = try runner.waymark(["replay"] + story + ["--format", "jsonl", "--hindsight"])
    let live = try standing(runner.read("traces/commute/events.jsonl"))
    let found = try standing(log.output)
    #expect(found.keys.sorted() != live.keys.sorted())
    let page = try open("page.html")
    #expect(page.ids.sorted() == found.keys.sorted())
    for (id, error) in page.errors { #expect((error ?? .infinity) < 2, "\(id)") }
    #expect(page.complaints == [])
  }

  private func report(_ arguments: [String], to page: String = "page.html") throws {
    let outcome = try runner.waymark(["report"] + arguments + ["-o", page])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  /// The events that stand: the last report of each, none that was retracted.
  private func standing(_ log: String) throws -> [String: Line] {
    var events: [String: Line] = [:]
    for text in log.split(separator: "\n") {
      let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      events[line.id] = line.retracted == true ? nil : line
    }
    return events
  }

  private func open(_ page: String) throws -> Findings { try #require(try open([page]).first) }

  /// What one Chromium finds on some pages.
  private func open(_ pages: [String]) throws -> [Findings] {
    let python = Built.package(".build/peers/bin/python").path
    let script = Built.package("Tests/Peers/report-page.py").path
    let paths = pages.map { " \"$PWD/\($0)\"" }.joined()
    let outcome = try runner.shell("'\(python)' -B '\(script)'\(paths)")
    try #require(outcome.code == 0, "\(outcome.errors)")
    return try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(Findings.self, from: Data($0.utf8))
    }
  }
}
