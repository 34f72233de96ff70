import EventLog
import Foundation
import GRDB
import Geodesy
import Session
@testable import Storing
import TestSupport
import Testing
import Tracking

@Suite("A store") struct EventStoreTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test("has every event once, however often it is kept")
  func repeated() throws {
    let entries = [StoreFixture.enter(at: 0), StoreFixture.exit(at: 3_600)]
    let store = try fixture.open()
    for _ in 0..<3 { try store.keep(entries) }
    try store.keep(Array(entries.reversed()))
    #expect(
      try fixture.rows("SELECT seq, type, revision, fence FROM events ORDER BY seq") == [
        "1|enter|0|depot", "2|exit|0|depot",
      ])
    #expect(try fixture.rows("SELECT type, duration FROM crossings") == ["enter|", "exit|3600.0"])
    #expect(
      try fixture.rows("SELECT * FROM devices") == ["van|2025-03-10T09:00:00.000Z|2"])
  }

  @Test("has the line of the event log of each event")
  func lines() throws {
    let entry = StoreFixture.enter(at: 0)
    try fixture.open().keep([entry])
    var line: [UInt8] = []
    JSONLinesWriter.append(entry, to: &line)
    #expect(
      try fixture.rows("SELECT json FROM events") == [
        String(decoding: line.dropLast(), as: UTF8.self)
      ])
  }

  @Test("updates a visit when it is over, and marks one that was taken back")
  func visits() throws {
    let store = try fixture.open()
    try store.keep([StoreFixture.visit(until: nil, revision: 0)])
    let columns = "SELECT revision, departure, retracted FROM visits"
    #expect(try fixture.rows(columns) == ["0||0"])
    try store.keep([StoreFixture.visit(until: 7_200, revision: 1)])
    #expect(try fixture.rows(columns) == ["1|2025-03-10T10:00:00.000Z|0"])
    // The first line again does not undo the second.
    try store.keep([StoreFixture.visit(until: nil, revision: 0)])
    #expect(try fixture.rows(columns) == ["1|2025-03-10T10:00:00.000Z|0"])
    #expect(try fixture.rows("SELECT kind, hours FROM hours_at_place") == ["visit|2.0"])
    #expect(try fixture.rows("SELECT count(*) FROM events") == ["2"])
    try store.keep([StoreFixture.visit(until: 7_200, revision: 2, isRetracted: true)])
    #expect(try fixture.rows(columns) == ["2|2025-03-10T10:00:00.000Z|1"])
    #expect(try fixture.rows("SELECT * FROM hours_at_place").isEmpty)
  }

  @Test("has a row for each place, whatever the cells of a grid and the names of towns are")
  func places() throws {
    let store = try fixture.open()
    let hour = 3_600.0
    try store.keep([
      // Home, on both sides of a thousandth of a degree, and 61 m away.
      StoreFixture.visit(at: 0, 52.50051, 13.30049, place: "Berlin"),
      StoreFixture.visit(at: 2 * hour, 52.50049, 13.30051),
      StoreFixture.visit(at: 4 * hour, 52.50106, 13.3005, place: "Berlin"),
      // Within 100 m of that, and of nothing earlier.
      StoreFixture.visit(at: 6 * hour, 52.50185, 13.3005, place: "Berlin"),
      // Another place of the same town, and two without a name, of which one is at the antimeridian.
      StoreFixture.visit(at: 8 * hour, 52.51, 13.3, place: "Berlin"),
      StoreFixture.visit(at: 10 * hour, 60, 10),
      StoreFixture.visit(at: 12 * hour, 60, 10.0017),
      StoreFixture.visit(at: 14 * hour, 60, 10.0036),
      StoreFixture.visit(at: 16 * hour, -17, 179.9998),
      StoreFixture.visit(at: 18 * hour, -17, -179.9996),
    ])
    let places = "SELECT place, stays, hours, latitude, longitude FROM hours_at_place ORDER BY last"
    #expect(
      try fixture.rows(places) == [
        "Berlin|4|4.0|52.5005|13.3005", "Berlin|1|1.0|52.51|13.3",
        "60.0000,10.0000|2|2.0|60.0|10.0", "60.0000,10.0036|1|1.0|60.0|10.0036",
        "-17.0000,179.9998|2|2.0|-17.0|179.9998",
      ])
    // A store of an earlier build gets the view, once.
    let queue = try DatabaseQueue(path: fixture.path)
    try queue.write {
      try $0.execute(
        sql: "DROP VIEW hours_at_place; CREATE VIEW hours_at_place AS SELECT 1 AS place")
    }
    try queue.close()
    var versions: Set<[String]> = []
    for _ in 0..<2 {
      _ = try fixture.open()
      versions.insert(try fixture.rows("PRAGMA schema_version"))
    }
    #expect(versions.count == 1)
    #expect(try fixture.rows(places).count == 5)
  }

  @Test("has events that were decided in hindsight, or others, not both")
  func hindsight() throws {
    // Without an event either is possible.
    _ = try fixture.open()
    let store = try fixture.open(hindsight: true)
    try store.keep([StoreFixture.enter(at: 0)])
    _ = try fixture.open(hindsight: true)
    let error = #expect(throws: EntryStoreError.self) { try fixture.open() }
    #expect(
      error?.description.hasSuffix(
        "the store cannot be used: it has events that were decided in hindsight; name a new file")
        == true)
    // Stores of earlier builds do not say it.
    let queue = try DatabaseQueue(path: fixture.path)
    try queue.write { try $0.execute(sql: "ALTER TABLE waymark_store DROP COLUMN hindsight") }
    try queue.close()
    let other = #expect(throws: EntryStoreError.self) { try fixture.open(hindsight: true) }
    #expect(other?.reason == "it has events that were decided without hindsight")
    try fixture.open().keep([StoreFixture.enter(at: 0)])
    #expect(try fixture.rows("SELECT count(*) FROM events") == ["1"])
  }

  @Test("knows in which fences a device is, by the times of the decisions")
  func nowInside() throws {
    let store = try fixture.open()
    let inside = "SELECT device, fence FROM now_inside ORDER BY 1, 2"
    try store.keep([
      StoreFixture.event(.state(fence: "home", .inside, confidence: 1), at: 0),
      StoreFixture.event(.state(fence: "shop", .outside, confidence: 1), at: 0),
      StoreFixture.enter("depot", at: 10, of: "bus"),
    ])
    #expect(try fixture.rows(inside) == ["bus|depot", "van|home"])
    try store.keep([StoreFixture.exit("home", at: 20), StoreFixture.enter("shop", at: 30)])
    #expect(try fixture.rows(inside) == ["bus|depot", "van|shop"])
    // An older track that is played later.
    try store.keep([StoreFixture.exit("shop", at: -100)])
    #expect(try fixture.rows(inside) == ["bus|depot", "van|shop"])
    try store.keep([
      StoreFixture.event(.state(fence: "shop", .unknown, confidence: nil), at: 40)
    ])
    #expect(try fixture.rows(inside) == ["bus|depot"])
  }

  @Test("deletes what is older than it keeps, but knows where devices are")
  func retention() throws {
    let day = 86_400.0
    let store = try fixture.open(retention: 10 * day, keepsFixes: true)
    var fix = Fix(
      time: StoreFixture.start, coordinate: Coordinate(latitude: 52.5, longitude: 13.4))
    fix.horizontalAccuracy = 5
    try store.keep([
      LogEntry(device: "van", .fix(fix)), StoreFixture.enter("shop", at: 0),
      StoreFixture.exit("shop", at: 60), StoreFixture.enter("depot", at: 2 * day),
    ])
    #expect(try fixture.rows("SELECT count(*) FROM fixes") == ["1"])
    try store.keep([StoreFixture.enter("home", at: 11 * day)])
    #expect(
      try fixture.rows("SELECT type, fence FROM crossings ORDER BY time") == [
        "exit|shop", "enter|depot", "enter|home",
      ])
    #expect(try fixture.rows("SELECT fence FROM now_inside ORDER BY 1") == ["depot", "home"])
    #expect(try fixture.rows("SELECT count(*) FROM fixes") == ["0"])
    // The bytes of the deleted event are gone, and those of the newest are there.
    let files = ["events.gpkg", "events.gpkg-wal"].map { fixture.scratch.file($0) }
    let bytes = files.reduce(into: Data()) { all, file in
      all += FileManager.default.contents(atPath: file) ?? Data()
    }
    func isThere(_ entry: LogEntry) throws -> Bool {
      bytes.firstRange(of: Data(try #require(entry.id).description.utf8)) != nil
    }
    #expect(try !isThere(StoreFixture.enter("shop", at: 0)))
    #expect(try isThere(StoreFixture.enter("home", at: 11 * day)))
  }

  @Test("keeps fixes only if it is asked to")
  func fixes() throws {
    let fix = LogEntry(
      device: "van",
      .fix(Fix(time: StoreFixture.start, coordinate: Coordinate(latitude: 1, longitude: 2))))
    let store = try fixture.open()
    #expect(!store.kinds.contains(.fix))
    try store.keep([fix])
    #expect(try fixture.rows("SELECT count(*) FROM fixes") == ["0"])
    let other = try fixture.open(keepsFixes: true)
    for _ in 0..<2 { try other.keep([fix]) }
    #expect(try fixture.rows("SELECT device, latitude FROM fixes") == ["van|1.0"])
  }

  /// A fix every ten seconds on a line north.
  private func fixes(_ range: Range<Int>, later: Double = 0) -> [LogEntry] {
    range.map { number in
      LogEntry(
        device: "van",
        .fix(
          Fix(
            time: StoreFixture.start.advanced(bySeconds: Double(10 * number) + later),
            coordinate: Coordinate(latitude: Double(number) / 1_000, longitude: 2))))
    }
  }

  @Test("has the fixes as lines that go on in the next run, and end at a silence")
  func tracks() throws {
    let columns =
      "SELECT points, substr(begin, 12, 8), substr(end, 12, 8), length(geom) FROM tracks"
    try fixture.open(keepsFixes: true).keep(fixes(0..<1))
    #expect(try fixture.rows(columns) == ["1|08:00:00|08:00:00|49"])
    try fixture.open(keepsFixes: true).keep(fixes(1..<400))
    let store = try fixture.open(keepsFixes: true)
    try store.keep(fixes(399..<600))
    try store.keep(fixes(600..<700, later: 601))
    // A late fix is in no line.
    try store.keep(fixes(50..<51, later: 5))
    #expect(
      try fixture.rows(columns) == [
        "500|08:00:00|09:23:10|8017", "101|09:23:10|09:39:50|1633", "100|09:50:01|10:06:31|1617",
      ])
    #expect(try fixture.rows("SELECT count(*) FROM fixes") == ["701"])
  }

  @Test("of the first version gets what later versions have")
  func firstVersion() throws {
    try fixture.open().keep([StoreFixture.enter(at: 0)])
    let queue = try DatabaseQueue(path: fixture.path)
    try queue.write { db in
      try db.execute(
        sql: """
          DROP VIEW outbox; DROP TABLE receivers; DROP TABLE dead_letters; DROP TABLE tracks;
          DELETE FROM gpkg_geometry_columns WHERE table_name = 'tracks';
          DELETE FROM gpkg_contents WHERE table_name = 'tracks';
          UPDATE waymark_store SET version = 1;
          """)
    }
    try queue.close()
    try fixture.open(keepsFixes: true).keep(fixes(0..<3))
    #expect(try fixture.rows("SELECT version FROM waymark_store") == ["2"])
    #expect(try fixture.rows("SELECT points FROM tracks") == ["3"])
    #expect(try fixture.rows("SELECT count(*) FROM outbox") == ["0"])
    #expect(try fixture.rows("SELECT count(*) FROM events") == ["1"])
  }

  @Test("has the fences as they are now, and those of the past")
  func fences() throws {
    let store = try fixture.open()
    func circle(_ id: String, _ radius: Double) throws -> Fence {
      Fence(
        id: id,
        area: .circle(
          Circle(center: Coordinate(latitude: 0, longitude: 179.999), radius: radius)))
    }
    try store.keep(try FenceSet([try circle("old", 100), try circle("pier", 100)]))
    try store.keep(try FenceSet([try circle("pier", 500)]))
    #expect(
      try fixture.rows("SELECT id, shape, radius FROM fences ORDER BY id") == [
        "old|circle|100.0", "pier|circle|500.0",
      ])
    // GP, version, flags with a box, and the number of the reference system.
    #expect(
      try fixture.rows("SELECT hex(substr(geom, 1, 8)) FROM fences LIMIT 1") == ["47500003E6100000"]
    )
  }

  @Test("is refused when the file is something else, which stays as it is")
  func foreign() throws {
    try fixture.scratch.write("events.gpkg", String(repeating: "not a database ", count: 100))
    let error = #expect(throws: EntryStoreError.self) { try fixture.open() }
    #expect(error?.description.contains("name a new file") == true)
    #expect(try fixture.scratch.read("events.gpkg").hasPrefix("not a database not"))
    let other = StoreSettings(path: fixture.scratch.file("other.sqlite"))
    try DatabaseQueue(path: other.path).write { try $0.execute(sql: "CREATE TABLE mine (x)") }
    let second = #expect(throws: EntryStoreError.self) {
      try EventStore(other, isLive: false)
    }
    #expect(second?.reason == "it is a database of another program")
    let missing = #expect(throws: EntryStoreError.self) {
      try EventStore(StoreSettings(path: fixture.scratch.file("no/x.gpkg")), isLive: false)
    }
    #expect(missing?.reason == "it cannot be opened or created")
  }

  @Test("keeps what is written while other programs open and close it, also with receivers")
  func otherReaders() throws {
    try fixture.open().keep([StoreFixture.enter(at: 0)])
    let queues = try OutboxQueue(fixture.path)
    let store = try EventStore(StoreSettings(path: fixture.path), isLive: true)
    for second in 1...3 {
      // The last program that closes a store removes its log, unless it is in use.
      let found = try runProgram(
        "/usr/bin/sqlite3", [fixture.path, "SELECT count(*) FROM events"])
      #expect(found.output == "\(second)\n")
      try store.keep([StoreFixture.enter(at: Double(second))])
    }
    #expect(try fixture.rows("SELECT count(*) FROM events") == ["4"])
    #expect(try queues.overview().isEmpty)
  }

  @Test("is filled by two programs at once, and each reports a lock that lasts")
  func twoWriters() throws {
    let (one, two) = (try fixture.open(), try fixture.open())
    for second in 0..<50 {
      try one.keep([StoreFixture.enter(at: Double(second), of: "one")])
      try two.keep([StoreFixture.enter(at: Double(second), of: "two")])
    }
    #expect(try fixture.rows("SELECT count(*), count(DISTINCT id) FROM events") == ["100|100"])
    let other = try DatabaseQueue(path: fixture.path)
    try other.inDatabase { db in
      try db.beginTransaction(.immediate)
      let error = #expect(throws: EntryStoreError.self) {
        try one.keep([StoreFixture.enter(at: 60)])
      }
      #expect(error?.reason == "another program is writing to it" && error?.isTemporary == true)
      try db.rollback()
    }
    try one.keep([StoreFixture.enter(at: 60)])
    #expect(try fixture.rows("SELECT count(*) FROM events") == ["101"])
  }

  @Test("that cannot grow keeps all of a step or nothing, and goes on when there is room")
  func full() throws {
    let store = try fixture.open()
    try store.keep([StoreFixture.enter(at: 0)])
    store.limitPages(to: 1)
    let many = (1...2_000).map { StoreFixture.enter("f\($0)", at: Double($0)) }
    let error = #expect(throws: EntryStoreError.self) { try store.keep(many) }
    #expect(error?.reason == "no space left on device" && error?.isTemporary == true)
    #expect(try fixture.rows("SELECT count(*) FROM events") == ["1"])
    store.limitPages(to: 1 << 30)
    try store.keep(many)
    #expect(try fixture.rows("SELECT count(*) FROM events") == ["2001"])
    #expect(try fixture.rows("SELECT count(*) FROM crossings") == ["2001"])
    #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
  }
}
