import Foundation
import GRDB
import TestSupport
import Testing

/// A `watch` that is killed after its config or its options were edited, before it took them over.
///
/// What it has written stands, and the new settings hold from the restart on, as from a reload.
@Suite("watch that is edited, then killed", .timeLimit(.minutes(90)))
struct WatchEditedTests {
  private static let gate = "  - {id: gate, center: [0, 0], radius: 150 m}\n"
  private static let yard = "  - {id: yard, center: [0, 0], radius: 300 m}\n"
  private static let larger = "  - {id: gate, center: [0, 0], radius: 400 m}\n"

  /// The fences before and after the edit.
  struct Edit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: String
    let after: String
    static let all = [
      Edit(testDescription: "a fence is added", before: gate, after: gate + yard),
      Edit(testDescription: "a fence is removed", before: yard + gate, after: gate),
      Edit(testDescription: "a fence grows", before: gate, after: larger),
      Edit(
        testDescription: "significant changes are wider", before: gate,
        after: gate + "significant-changes: {distance: 1 km}\n"),
    ]
  }

  /// How the new config is taken over.
  private enum Way { case reload, kill }

  /// A stand whose watch has phones as its source.
  private struct Phones {
    let runner: CommandRunner

    init() throws { runner = try CommandRunner() }

    func configure(_ fences: String) throws {
      try runner.write("phones.yaml", "sources: [{http: 0}]\nfences:\n\(fences)")
    }

    func watch(_ errors: String) throws -> (run: CommandRunner.Running, url: String) {
      let run = try runner.start(
        [
          "watch", "--config", "phones.yaml", "--output", "events", "--format", "jsonl",
          "--state", "state",
        ], errors: errors)
      try runner.wait(for: "phones report to http://127.0.0.1:", in: errors)
      let url = try runner.read(errors).firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\//)
      return (run, String(try #require(url).0))
    }

    /// Reports the positions of some seconds, which are kept when it returns.
    func report(_ seconds: Range<Int>, to url: String) throws {
      let features = stride(from: seconds.lowerBound, to: seconds.upperBound, by: 5).map { second in
        let time = Date(timeIntervalSince1970: GateDrive.start + Double(second))
        let properties =
          #"{"timestamp":"\#(time.formatted(.iso8601))","horizontal_accuracy":9,"device_id":"ola"}"#
        let place = (Double(second % 600 < 300 ? second % 600 : 600 - second % 600) / 300 - 0.5)
        return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(place * 0.02),0]},"#
          + #""properties":\#(properties)}"#
      }
      try runner.write("batch", #"{"locations":[\#(features.joined(separator: ","))]}"#)
      let answer = try runner.shell("curl -s -m 60 -d @batch \(url)").output
      #expect(answer == #"{"result":"ok"}"#)
    }
  }

  /// Expects that no event comes twice, and no exit without an enter before it.
  private func check(_ log: String) throws {
    var ids: Set<Substring> = []
    var inside: Set<Substring> = []
    for line in log.split(separator: "\n") where !line.hasPrefix(#"{"type":"fix""#) {
      let type = try #require(line.firstMatch(of: /^{"type":"([a-z-]+)"/)?.1, "\(line)")
      let revision = line.firstMatch(of: /"revision":(\d+)/)?.1 ?? ""
      if let id = line.firstMatch(of: /"id":"([0-9a-f]+)"/)?.1 {
        #expect(ids.insert(id + revision).inserted, "twice: \(line)")
      }
      guard let fence = line.firstMatch(of: /"fence":"([a-z]+)"/)?.1 else { continue }
      if line.contains(#""state":"inside""#) { inside.insert(fence) }
      if line.contains(#""state":"outside""#) { inside.remove(fence) }
      if type == "enter" { #expect(inside.insert(fence).inserted, "already inside: \(line)") }
      if type == "exit" { #expect(inside.remove(fence) != nil, "not inside: \(line)") }
    }
  }

  @Test(
    "devices that appeared since the last checkpoint: the log is that of a reload",
    arguments: Edit.all)
  func phones(_ edit: Edit) throws {
    func log(_ way: Way) throws -> String {
      let stand = try Phones()
      try stand.configure(edit.before)
      var (watch, url) = try stand.watch("errors0")
      try stand.report(0..<400, to: url)
      let before = try stand.runner.read("events")
      try stand.configure(edit.after)
      switch way {
      case .reload:
        watch.send(SIGHUP)
        try stand.runner.wait(for: "configuration reloaded", in: "errors0")
      case .kill:
        watch.send(SIGKILL)
        #expect(try watch.finish().code == 128 + SIGKILL)
        (watch, url) = try stand.watch("errors1")
      }
      #expect(try stand.runner.read("events") == before)
      try stand.report(400..<900, to: url)
      watch.send(SIGTERM)
      #expect(try watch.finish().code == 0)
      return try stand.runner.read("events")
    }
    let killed = try log(.kill)
    try check(killed)
    #expect(killed == (try log(.reload)))
  }

  /// A stand whose watch has a gpsd as its source, and every fix in its log.
  private struct Receiver {
    let runner: CommandRunner
    let gpsd: ScriptedGPSD

    init() throws {
      runner = try CommandRunner()
      gpsd = try ScriptedGPSD()
    }

    func configure(_ fences: String) throws {
      try runner.write("van.yaml", "device: van\nfences:\n\(fences)")
    }

    func watch(_ errors: String, _ options: [String] = ["--output", "events"], fixes: Bool = true)
      throws -> CommandRunner.Running
    {
      let kinds = ["enter", "exit", "state", "significant-change"] + (fixes ? ["fix"] : [])
      return try runner.start(
        [
          "watch", gpsd.address, "--config", "van.yaml", "--format", "jsonl", "--state", "state",
        ] + options + kinds.flatMap { ["--include", $0] }, errors: errors)
    }

    var log: String { (try? runner.read("events")) ?? "" }

    func report(_ seconds: Range<Int>, to client: ScriptedGPSD.Client) {
      for second in seconds { client.say(GateDrive.report(second)) }
    }

    /// The ids of the events in the store.
    func stored() throws -> [String] {
      var configuration = GRDB.Configuration()
      configuration.busyMode = .timeout(60)
      let path = runner.folder.appendingPathComponent("events.gpkg").path
      return try DatabaseQueue(path: path, configuration: configuration).read { db in
        try String.fetchAll(db, sql: "SELECT id FROM events WHERE type != 'status' ORDER BY seq")
      }
    }

    /// Waits until the last fix of a report is in the log.
    func wait(for second: Int) throws {
      try blockUntil("the fix of second \(second) in the log") {
        GateDrive.lastFix(log) == second
      }
    }

    /// Kills a watch, and greets the next one.
    func restart(_ watch: CommandRunner.Running, _ next: () throws -> CommandRunner.Running) throws
      -> (CommandRunner.Running, ScriptedGPSD.Client)
    {
      watch.send(SIGKILL)
      #expect(try watch.finish().code == 128 + SIGKILL)
      try gpsd.dismissAll()
      return (try next(), try gpsd.client())
    }
  }

  @Test("a device of a source: the log is that of a reload", arguments: Edit.all)
  func source(_ edit: Edit) throws {
    func log(_ way: Way) throws -> String {
      let stand = try Receiver()
      try stand.configure(edit.before)
      var watch = try stand.watch("errors0")
      var client = try stand.gpsd.client()
      stand.report(0..<400, to: client)
      try stand.wait(for: 399)
      try stand.configure(edit.after)
      switch way {
      case .reload:
        watch.send(SIGHUP)
        try stand.runner.wait(for: "configuration reloaded", in: "errors0")
      case .kill: (watch, client) = try stand.restart(watch) { try stand.watch("errors1") }
      }
      stand.report(400..<900, to: client)
      try stand.wait(for: 899)
      watch.send(SIGTERM)
      #expect(try watch.finish().code == 0)
      return stand.log
    }
    let killed = try log(.kill)
    try check(killed)
    #expect(killed == (try log(.reload)))
  }

  @Test("a reload while the store cannot take events is in the journal", arguments: Edit.all)
  func waiting(_ edit: Edit) throws {
    func log(_ way: Way) throws -> String {
      let stand = try Receiver()
      try stand.configure(edit.before)
      let options = ["--output", "events", "--store", "events.gpkg"]
      var watch = try stand.watch("errors0", options)
      var client = try stand.gpsd.client()
      stand.report(0..<1, to: client)
      try stand.wait(for: 0)
      let store = stand.runner.folder.appendingPathComponent("events.gpkg").path
      let other = try DatabaseQueue(path: store)
      try other.inDatabase { db in
        try db.beginTransaction(.immediate)
        stand.report(1..<300, to: client)
        try stand.wait(for: 299)
        try stand.configure(edit.after)
        watch.send(SIGHUP)
        try stand.runner.wait(for: "configuration reloaded", in: "errors0")
        stand.report(300..<500, to: client)
        try stand.wait(for: 499)
        if way == .kill {
          watch.send(SIGKILL)
          #expect(try watch.finish().code == 128 + SIGKILL)
        }
        try db.rollback()
      }
      if way == .kill {
        (watch, client) = try stand.restart(watch) { try stand.watch("errors1", options) }
      }
      stand.report(500..<900, to: client)
      try stand.wait(for: 899)
      watch.send(SIGTERM)
      #expect(try watch.finish().code == 0)
      let stored = try stand.stored()
      #expect(stored.count == Set(stored).count && stored.count > 8)
      return stand.log
    }
    let killed = try log(.kill)
    try check(killed)
    #expect(killed == (try log(.reload)))
  }

  @Test(
    "other kinds are shown from the restart on, and nothing comes again", arguments: [true, false])
  func kinds(_ fixes: Bool) throws {
    let stand = try Receiver()
    try stand.configure(Self.gate)
    var watch = try stand.watch("errors0", fixes: fixes)
    var client = try stand.gpsd.client()
    stand.report(0..<400, to: client)
    try stand.runner.wait(for: #""time":"2025-03-10T08:06:07.000Z""#, in: "events")
    let before = stand.log
    (watch, client) = try stand.restart(watch) { try stand.watch("errors1", fixes: !fixes) }
    stand.report(400..<900, to: client)
    try stand.runner.wait(for: #""time":"2025-03-10T08:12:50"#, in: "events")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    try check(stand.log)
    #expect(stand.log.hasPrefix(before))
    let shown = stand.log.dropFirst(before.count).components(separatedBy: #"{"type":"fix""#)
    #expect(shown.count - 1 == (fixes ? 0 : 500))
  }

  @Test("a store keeps what it has, when the engine that goes on gives the events other ids")
  func otherEngine() throws {
    let stand = try Receiver()
    try stand.configure(Self.gate)
    let options = ["--store", "events.gpkg", "--record", "trip.jsonl"]
    // Its log goes to standard output, where nobody can read what it has.
    var watch = try stand.watch("errors0", options)
    var client = try stand.gpsd.client()
    stand.report(0..<400, to: client)
    try blockUntil("five events in the store") { try stand.stored().count == 5 }
    // It has written down before what it has stored.
    stand.report(400..<401, to: client)
    try stand.runner.wait(for: "2025-03-10T08:06:40", in: "trip.jsonl")
    let renamed = try stand.runner.shell(
      "sqlite3 events.gpkg \"UPDATE events SET id = 'old' || id WHERE type != 'status'\"")
    #expect(renamed.code == 0, "\(renamed.errors)")
    (watch, client) = try stand.restart(watch) { try stand.watch("errors1", options) }
    stand.report(401..<900, to: client)
    try blockUntil("the other events in the store") { try stand.stored().count >= 10 }
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let stored = try stand.stored()
    #expect(stored.count { $0.hasPrefix("old") } == 5 && stored.count == 10, "\(stored)")
  }
}
