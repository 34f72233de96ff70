import GRDB
import Testing
import Tracking

@testable import Storing

@Suite("Where devices are, by a store") struct NowInsideTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// The seconds of 1,024 weeks, by which a receiver may be wrong.
  private static let wrong = 619_315_200.0

  private func inside() throws -> [String] {
    try fixture.rows("SELECT device, fence FROM now_inside ORDER BY 1, 2")
  }

  @Test("is what a live run stored last, and old tracks that are replayed count by their dates")
  func live() throws {
    var present = StoreFixture.start
    let live = try fixture.open(isLive: true) { present }
    try live.keep([StoreFixture.enter(at: Self.wrong)])
    #expect(try inside() == ["van|depot"])
    present = present.advanced(bySeconds: 60)
    try live.keep([StoreFixture.exit(at: 60)])
    #expect(try inside().isEmpty)
    present = present.advanced(bySeconds: 60)
    try live.keep([StoreFixture.enter(at: 120 - Self.wrong)])
    #expect(try inside() == ["van|depot"])
    let replay = try fixture.open()
    try replay.keep([StoreFixture.exit(at: -3_600)])
    #expect(try inside() == ["van|depot"])
    try replay.keep([StoreFixture.exit(at: 3_600)])
    #expect(try inside().isEmpty)
    // A date of the future is that of no replay.
    try replay.keep([StoreFixture.enter(at: Self.wrong + 1)])
    #expect(try inside().isEmpty)
  }

  @Test("a clock of the machine that was set back does not make an old event the present one")
  func machine() throws {
    try fixture.open(isLive: true) { StoreFixture.present }.keep([StoreFixture.enter(at: 0)])
    // It starts in 1970 until it is set.
    let next = try fixture.open(isLive: true) { Timestamp(nanoseconds: 0) }
    try next.keep([StoreFixture.exit(at: 60)])
    #expect(try inside().isEmpty)
  }

  @Test("a store keeps the event that holds now, whatever its date")
  func retention() throws {
    var present = StoreFixture.start
    let day = 86_400.0
    let store = try fixture.open(retention: 10 * day, isLive: true) { present }
    try store.keep([StoreFixture.exit(at: 0)])
    present = present.advanced(bySeconds: 60)
    try store.keep([StoreFixture.enter(at: 60 - Self.wrong)])
    present = present.advanced(bySeconds: 11 * day)
    try store.keep([StoreFixture.enter("shop", at: 11 * day)])
    #expect(try inside() == ["van|depot", "van|shop"])
    #expect(try fixture.rows("SELECT count(*) FROM events") == ["2"])
  }

  @Test("a store of an earlier build gets the view and its column, and its events stay")
  func earlier() throws {
    try fixture.open().keep([StoreFixture.enter(at: 0), StoreFixture.enter("shop", at: Self.wrong)])
    let queue = try DatabaseQueue(path: fixture.path)
    try queue.write { db in
      try db.execute(
        sql: """
          DROP VIEW now_inside; ALTER TABLE events DROP COLUMN arrived;
          CREATE VIEW now_inside AS SELECT device, fence FROM events WHERE type = 'exit';
          """)
    }
    try queue.close()
    _ = try OutboxQueue(fixture.path)
    #expect(try inside() == ["van|depot", "van|shop"])
    // The wrong date of an earlier build counts no more.
    try fixture.open(isLive: true) { StoreFixture.present }.keep([StoreFixture.exit("shop", at: 60)]
    )
    #expect(try inside() == ["van|depot"])
    let version = try fixture.rows("PRAGMA schema_version")
    _ = try fixture.open()
    #expect(try fixture.rows("PRAGMA schema_version") == version)
  }
}
