import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

/// `--store`: the database that a command leaves.
@Suite("the store of a command", .timeLimit(.minutes(90)))
struct StoreTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let story = [
    "traces/out-and-back/track.gpx", "--config", "traces/out-and-back/waymark.yaml",
  ]

  private func rows(_ sql: String, in store: String = "events.gpkg") throws -> [String] {
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(60)
    let path = runner.folder.appendingPathComponent(store).path
    return try DatabaseQueue(path: path, configuration: configuration).read { db in
      try String.fetchAll(db, sql: sql)
    }
  }

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  @Test("has the lines of the log, whatever is printed, after one run and after two")
  func replay() throws {
    let log = try runner.waymark(["replay"] + Self.story + ["--format", "jsonl"])
    for _ in 0..<2 {
      let run = try runner.waymark(
        ["replay"] + Self.story + ["--store", "events.gpkg", "--include", "dwell"])
      #expect(run.code == 0 && run.output.isEmpty)
      #expect(try rows("SELECT json FROM events ORDER BY seq") == lines(log.output))
    }
    #expect(try rows("SELECT id FROM fences ORDER BY id") == ["bakery", "home"])
    #expect(!runner.exists("events.gpkg-wal"))
  }

  @Test("has no crossing twice: events in hindsight go into a store of their own")
  func hindsight() throws {
    let replay = ["replay"] + Self.story + ["--store", "events.gpkg"]
    #expect(try runner.waymark(replay).code == 0)
    let before = try rows("SELECT json FROM events ORDER BY seq")
    let refused = try runner.waymark(replay + ["--hindsight"])
    #expect(refused.code == 74 && refused.output.isEmpty)
    #expect(
      refused.errors
        == "waymark: events.gpkg: the store cannot be used: it has events that were decided "
        + "without hindsight; name a new file\n")
    #expect(try rows("SELECT json FROM events ORDER BY seq") == before)
    let later = ["replay"] + Self.story + ["--store", "later.gpkg"]
    for _ in 0..<2 { #expect(try runner.waymark(later + ["--hindsight"]).code == 0) }
    #expect(
      try rows("SELECT id FROM events GROUP BY id, revision HAVING count(*) > 1", in: "later.gpkg")
        .isEmpty)
    #expect(try runner.waymark(later).code == 74)
  }

  @Test("is the same for pipe as for replay, on any number of threads")
  func pipe() throws {
    let fixes = try runner.waymark(
      ["replay"] + Self.story + ["--format", "jsonl", "--include", "fix"])
    let log = try runner.waymark(
      ["pipe", "--config", Self.story[2], "--threads", "1"], input: fixes.output)
    for threads in ["1", "3"] {
      let run = try runner.waymark(
        [
          "pipe", "--config", Self.story[2], "--store", "\(threads).gpkg", "--threads", threads,
          "--include", "enter",
        ], input: fixes.output)
      #expect(run.code == 0 && lines(run.output).count == 2)
      #expect(
        try rows("SELECT json FROM events ORDER BY seq", in: "\(threads).gpkg") == lines(log.output)
      )
    }
  }

  @Test("is read by GDAL: layers, reference system, geometries and times")
  func gdal() throws {
    _ = try runner.waymark(["replay"] + Self.story + ["--store", "events.gpkg"])
    let layers = try runner.shell("ogrinfo -ro -q events.gpkg")
    for layer in [
      "crossings (Point)", "states (Point)", "visits (Point)", "changes (Point)",
      "fences (Multi Polygon)", "fixes (Point)", "events (None)", "now_inside (None)",
    ] {
      #expect(layers.output.contains(layer), "\(layers.output)\(layers.errors)")
    }
    let visits = try runner.shell("ogrinfo -ro events.gpkg visits")
    #expect(visits.output.contains("departure (DateTime) = 2026/05/02 06:43:02.7"))
    #expect(visits.output.contains("POINT (7.84"))
    #expect(visits.output.contains(#"ID["EPSG",4326]]"#))
    #expect(!visits.errors.lowercased().contains("warning"), "\(visits.errors)")
    let fences = try runner.shell("ogrinfo -ro -so events.gpkg fences")
    #expect(fences.output.contains("Feature Count: 2") && fences.output.contains("Extent: (7.84"))
  }

  private func storeFixes() throws {
    try runner.write(
      "home.yaml",
      """
      fences: [{id: home, center: [47.9886, 7.8412], radius: 80 m}]
      store: {file: events.gpkg, fixes: true}

      """)
    _ = try runner.waymark(["replay", Self.story[0], "--config", "home.yaml"])
  }

  @Test("is read by GDAL: the lines of fixes, and the hours at each place")
  func gdalLines() throws {
    try storeFixes()
    let tracks = try runner.shell("ogrinfo -ro events.gpkg tracks").output
    for found in [
      "Geometry: Line String", "Feature Count: 1", "Extent: (7.841082, 47.988579)",
      "begin (DateTime) = 2026/05/02 06:31:00+00", "points (Integer64) = 298",
      "LINESTRING (7.841194 47.9886019,7.8412269 47.9885908,",
    ] {
      #expect(tracks.contains(found), "\(tracks.prefix(3_000))")
    }
    let hours = try runner.shell("ogrinfo -ro events.gpkg hours_at_place").output
    for found in [
      "Feature Count: 3", "kind (String) = fence", "place (String) = home",
      "hours (String) = 0.2163", "place (String) = 47.9914,7.8468", "hours (String) = 0.1017",
    ] {
      #expect(hours.contains(found), "\(hours)")
    }
  }

  @Test("is read by geopandas: every layer and view, its rows, geometries and reference system")
  func geopandas() throws {
    try storeFixes()
    let script = Built.package("Tests/Peers/read-store.py").path
    let python = Built.package(".build/peers/bin/python").path
    let found = try runner.shell("\(python) -B \(script) events.gpkg")
    let geometries = [
      "changes": "Point", "crossings": "Point", "fences": "MultiPolygon", "fixes": "Point",
      "states": "Point", "tracks": "LineString", "visits": "Point",
    ]
    let layers = Array(geometries.keys) + ["devices", "events", "hours_at_place", "now_inside"]
    let expected = try layers.sorted().map { layer in
      let count = try #require(try rows("SELECT CAST(count(*) AS TEXT) FROM \(layer)").first)
      #expect(count != "0", "\(layer) is empty")
      return "\(layer) \(count)" + (geometries[layer].map { " \($0) 4326 True" } ?? "")
    }
    #expect(lines(found.output) == expected, "\(found.errors)")
    #expect(expected.contains("fixes 298 Point 4326 True"))
    #expect(expected.contains("crossings 2 Point 4326 True"))
  }

  @Test(
    "and an include of the config are not overwritten by another file of the command",
    arguments: [
      "watch gpsd://127.0.0.1:1 --no-reconnect --status",
      "watch gpsd://127.0.0.1:1 --no-reconnect --output",
      "record gpsd://127.0.0.1:1 --no-reconnect -o", "pipe --state", "replay here.csv --output",
    ])
  func otherUse(_ command: String) throws {
    try runner.write("here.csv", Walk.csv)
    try runner.write("here.yaml", "store: events.gpkg\nfences: [{include: fences.geojson}]\n")
    for (file, named) in [
      ("events.gpkg", "the store of the config"), ("fences.geojson", "an include of the config"),
    ] {
      let content = #"{"type":"FeatureCollection","features":[]}"#
      try runner.write(file, content)
      try runner.write("fences.geojson", content)
      let outcome = try runner.waymark(command.words + ["./\(file)", "--config", "here.yaml"])
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains(named), "\(outcome.errors)")
      #expect(outcome.errors.contains("both use"))
      #expect(try runner.read(file) == content)
    }
  }

  @Test("of a config is relative to it, and the option takes its place")
  func config() throws {
    try runner.write("conf/w.yaml", "store: kept.gpkg\n")
    _ = try runner.waymark(["replay", Self.story[0], "--config", "conf/w.yaml"])
    #expect(runner.exists("conf/kept.gpkg"))
    _ = try runner.waymark(
      ["replay", Self.story[0], "--config", "conf/w.yaml", "--store", "other.gpkg"])
    #expect(try rows("SELECT id FROM events", in: "other.gpkg").count > 2)
  }

  @Test("that is locked by another program ends a replay with 74, and the next one completes it")
  func locked() throws {
    let walk = ["replay"] + Self.story + ["--store", "events.gpkg"]
    _ = try runner.waymark(walk)
    let all = try rows("SELECT json FROM events ORDER BY seq")
    let other = try DatabaseQueue(path: runner.folder.appendingPathComponent("events.gpkg").path)
    try other.inDatabase { db in
      try db.execute(sql: "DELETE FROM events")
      try db.beginTransaction(.immediate)
      let run = try runner.waymark(walk)
      #expect(run.code == 74)
      #expect(
        run.errors.contains(
          "events.gpkg: the store cannot be used: another program is writing to it; close that program, "
            + "or wait for its end"), "\(run.errors)")
      try db.rollback()
    }
    #expect(try runner.waymark(walk).code == 0)
    #expect(try rows("SELECT json FROM events ORDER BY seq") == all)
  }

  @Test("with too many open files is refused with that reason")
  func tooManyFiles() throws {
    let errors = try (4...12).map { limit in
      try runner.shell(
        "ulimit -n \(limit); exec $waymark replay \(Self.story[0]) --store \(limit).gpkg"
      ).errors
    }
    #expect(!errors.contains { $0.contains("its folder must exist") }, "\(errors)")
    #expect(
      errors.contains {
        $0.contains(
          "the store cannot be used: too many open files; allow more with `ulimit -n` or LimitNOFILE"
        )
      }, "\(errors)")
  }

  @Test("that cannot be opened ends a command with 74, before anything is played")
  func refused() throws {
    try runner.write("notes.txt", String(repeating: "notes ", count: 200))
    let run = try runner.waymark(["replay"] + Self.story + ["--store", "notes.txt"])
    #expect(run.code == 74 && run.output.isEmpty)
    #expect(
      run.errors
        == "waymark: notes.txt: the store cannot be used: it is not a GeoPackage or another "
        + "SQLite database; name a new file\n")
    mkfifo(runner.folder.appendingPathComponent("pipe").path, 0o600)
    let special = try runner.waymark(["replay"] + Self.story + ["--store", "pipe"])
    #expect(special.code == 74 && special.output.isEmpty)
    #expect(
      special.errors
        == "waymark: pipe: the store cannot be used: it is not a regular file; name a new file\n")
    let clash = try runner.waymark(
      ["replay"] + Self.story + ["--store", "x", "--output", "x-wal"])
    #expect(clash.code == 64)
  }

  @Test("has the loss of gpsd of each run, also when no time is known")
  func losses() throws {
    for _ in 0..<2 {
      let run = try runner.waymark([
        "watch", "gpsd://127.0.0.1:1", "--no-reconnect", "--device", "boat", "--store", "lost.gpkg",
        "--state", "lost.state", "--output", "lost.jsonl", "--format", "jsonl",
        "--record", "lost-track.jsonl",
      ])
      #expect(run.code == 69, "\(run.errors)")
    }
    let lines = try runner.read("lost.jsonl").split(separator: "\n")
    #expect(lines.count == 2 && Set(lines).count == 2, "\(lines)")
    let path = runner.folder.appendingPathComponent("lost.gpkg").path
    let count = try DatabaseQueue(path: path).read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM events WHERE type = 'status'")
    }
    #expect(count == 2)
    let replay = try runner.waymark([
      "replay", "lost-track.jsonl", "--device", "boat", "--include", "status", "--format", "jsonl",
    ])
    #expect(replay.output.split(separator: "\n") == lines)
  }

  @Test("has each event once after kill -9 at random moments of a watch")
  func kills() throws {
    let gpsd = try ScriptedGPSD()
    func watch(_ name: String) throws -> CommandRunner.Running {
      try runner.write("\(name).yaml", "store: {file: \(name).gpkg, fixes: true}")
      return try runner.start([
        "watch", gpsd.address, "--fence", "gate=0,0,150", "--device", "van", "--state", name,
        "--config", "\(name).yaml", "--output", "\(name).log",
      ])
    }
    /// The second after the last fix in a store.
    func next(_ name: String) throws -> Int {
      guard runner.exists("\(name).gpkg") else { return 0 }
      let found = try rows(
        "SELECT coalesce(strftime('%s', max(time)) - 1741593600 + 1, 0) FROM fixes",
        in: "\(name).gpkg")
      return found.first.flatMap { Int($0) } ?? 0
    }
    let last = 1_500
    func finish(_ name: String) throws {
      let running = try watch(name)
      let client = try gpsd.client()
      for second in try next(name)...last { client.say(GateDrive.report(second)) }
      try blockUntil("the last fix in the store") { try next(name) == last + 1 }
      running.send(SIGTERM)
      #expect(try running.finish().code == 0)
      try gpsd.dismissAll()
    }
    try finish("whole")
    let seed: UInt64 = 0x5EED_0020
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let running = try watch("torn")
      let client = try gpsd.client()
      let start = try next("torn")
      let end = min(start + Int.random(in: 20...60, using: &generator), last)
      for second in start..<end { client.say(GateDrive.report(second)) }
      for _ in 0..<Int.random(in: 0...3_000, using: &generator) { sched_yield() }
      running.send(SIGKILL)
      #expect(try running.finish().code == 128 + SIGKILL)
      try gpsd.dismissAll()
    }
    try finish("torn")
    let log = try lines(runner.read("torn.log")).count
    #expect(
      try rows("SELECT id FROM events GROUP BY id, revision HAVING count(*) > 1", in: "torn.gpkg")
        .isEmpty)
    #expect(try rows("SELECT id FROM events", in: "torn.gpkg").count == log)
    #expect(try rows("PRAGMA integrity_check", in: "torn.gpkg") == ["ok"])
    let types = "SELECT type || ' ' || fence FROM events WHERE fence IS NOT NULL ORDER BY seq"
    #expect(try rows(types, in: "torn.gpkg") == rows(types, in: "whole.gpkg"))
  }

  @Test("that is locked by another program at the start of a watch gets its events afterwards")
  func lockedAtStart() throws {
    _ = try runner.waymark(["replay"] + Self.story + ["--store", "events.gpkg"])
    let before = try rows("SELECT json FROM events ORDER BY seq")
    let gpsd = try ScriptedGPSD()
    let other = try DatabaseQueue(path: runner.folder.appendingPathComponent("events.gpkg").path)
    var (running, client) = (nil as CommandRunner.Running?, nil as ScriptedGPSD.Client?)
    try other.inDatabase { db in
      try db.beginTransaction(.immediate)
      running = try runner.start(
        [
          "watch", gpsd.address, "--fence", "gate=0,0,150", "--device", "van", "--store",
          "events.gpkg", "--output", "log", "--format", "jsonl",
        ], errors: "errors")
      client = try gpsd.client()
      client?.say(GateDrive.report(0))
      try runner.wait(for: "state", in: "log")
      try runner.wait(for: "another program is writing to it", in: "errors")
      try db.rollback()
    }
    try runner.wait(for: "storing events again", in: "errors")
    running?.send(SIGTERM)
    #expect(try running?.finish().code == 0)
    let all = try rows("SELECT json FROM events ORDER BY seq")
    #expect(try all == before + lines(runner.read("log")))
  }

  @Test("that is locked at the start of a watch with receivers is waited for")
  func lockedQueues() throws {
    _ = try runner.waymark(["replay"] + Self.story + ["--store", "events.gpkg"])
    try runner.write(
      "van.yaml",
      """
      device: van
      fences: [{id: gate, center: [0, 0], radius: 150}]
      store: events.gpkg
      deliver: [{name: log, command: [sh, -c, 'cat >> log.jsonl']}]

      """)
    let gpsd = try ScriptedGPSD()
    let other = try DatabaseQueue(path: runner.folder.appendingPathComponent("events.gpkg").path)
    var running: CommandRunner.Running?
    try other.inDatabase { db in
      try db.beginTransaction(.immediate)
      running = try runner.start(
        ["watch", gpsd.address, "--config", "van.yaml", "--output", "log"], errors: "errors")
      try runner.wait(for: "or wait for its end; retrying for 30 s", in: "errors")
      try db.rollback()
    }
    let client = try gpsd.client()
    client.say(GateDrive.report(0))
    try runner.wait(for: #""type":"state""#, in: "log.jsonl")
    running?.send(SIGTERM)
    #expect(try running?.finish().code == 0)
  }

  @Test("on a full disk is written when there is room again, and the watch goes on")
  func full() throws {
    let gpsd = try ScriptedGPSD()
    let running = try runner.start(
      [
        "watch", gpsd.address, "--fence", "gate=0,0,150", "--device", "van", "--store",
        "events.gpkg", "--output", "log", "--format", "jsonl",
      ], errors: "errors")
    let client = try gpsd.client()
    client.say(GateDrive.report(0))
    try runner.wait(for: "state", in: "log")
    try running.limitFiles(to: 4_096)
    for second in 1...250 { client.say(GateDrive.report(second)) }
    try runner.wait(for: "the store cannot be used", in: "errors")
    try running.limitFiles(to: nil)
    try runner.wait(for: "storing events again", in: "errors")
    running.send(SIGTERM)
    #expect(try running.finish().code == 0)
    #expect(try rows("SELECT json FROM events ORDER BY seq") == lines(runner.read("log")))
  }
}
