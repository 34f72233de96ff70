import EventLog
import GRDB
import Session
import Storing
import TestSupport
import Testing
import Text
import Tracking

@Suite("A store of a live run") struct LateStoreTests {
  private let fixture: StoreFixture
  private let settings: StoreSettings

  init() throws {
    fixture = try StoreFixture()
    settings = StoreSettings(path: fixture.path)
  }

  private func fences(_ id: String) throws -> FenceSet { try FenceSet([.center(id)]) }

  /// Makes a store while another program has locked its file.
  private func lockedStore(_ use: (LateStore) throws -> Void = { _ in }) throws -> LateStore {
    let other = try DatabaseQueue(path: fixture.path)
    var store: LateStore?
    try other.inDatabase { db in
      try db.beginTransaction(.immediate)
      let new = try LateStore(settings, try fences("depot"))
      try use(new)
      try db.rollback()
      store = new
    }
    return try #require(store)
  }

  @Test("is opened at the start, with the fences in it")
  func atOnce() throws {
    let store = try LateStore(settings, try fences("depot"))
    #expect(store.failure == nil)
    #expect(try fixture.rows("SELECT id FROM fences") == ["depot"])
    try store.keep(try fences("yard"))
    #expect(try fixture.rows("SELECT id FROM fences ORDER BY id") == ["depot", "yard"])
    #expect(store.kinds == (try fixture.open(isLive: true).kinds))
  }

  @Test("that another program has locked is opened with its events, once it is free")
  func locked() throws {
    try fixture.open().keep([StoreFixture.enter(at: 0)])
    let store = try lockedStore { store in
      #expect(store.failure?.reason == "another program is writing to it")
      #expect(throws: EntryStoreError.self) { try store.keep([StoreFixture.enter(at: 60)]) }
    }
    try store.keep([StoreFixture.enter(at: 60)])
    #expect(try fixture.rows("SELECT count(*) FROM events") == ["2"])
    #expect(try fixture.rows("SELECT id FROM fences") == ["depot"])
  }

  @Test("that was locked has the fences of a reload")
  func reloaded() throws {
    _ = try fixture.open()
    let store = try lockedStore()
    try store.keep(try fences("yard"))
    #expect(try fixture.rows("SELECT id FROM fences") == ["yard"])
  }

  @Test("has the last events that live runs stored, the oldest first")
  func lastLines() throws {
    let store = try LateStore(settings, FenceSet())
    try store.keep([
      StoreFixture.enter(at: 0), StoreFixture.exit(at: 60), StoreFixture.enter(at: 120),
      StoreFixture.enter(at: 180, of: "bus"),
    ])
    let all = try fixture.rows("SELECT json FROM events ORDER BY seq").map { "\($0)\n" }
    // Of a replay.
    try fixture.open().keep([StoreFixture.enter(at: 240)])
    func lines(
      _ count: Int, _ kinds: Set<LogEntry.Kind> = Set(LogEntry.Kind.allCases),
      _ devices: Set<ExactText>? = nil
    ) throws -> [String] {
      try store.lastLines(count, of: kinds, devices: devices).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    #expect(try lines(10) == all)
    #expect(try lines(2) == Array(all.suffix(2)))
    #expect(try lines(2, [.enter, .exit], [ExactText("van")]) == Array(all[1...2]))
    #expect(try lines(10, [.exit]) == [all[1]])
    let empty = try LateStore(
      StoreSettings(path: fixture.scratch.file("empty.gpkg")), FenceSet())
    #expect(try empty.lastLines(10, of: [.enter], devices: nil).isEmpty)
  }

  @Test("is refused at once when waiting would not help")
  func refused() throws {
    try fixture.scratch.write("events.gpkg", String(repeating: "notes ", count: 200))
    let error = #expect(throws: EntryStoreError.self) { try LateStore(settings, FenceSet()) }
    #expect(error?.reason == "it is not a GeoPackage or another SQLite database")
    let lost = StoreSettings(path: fixture.scratch.file("no/events.gpkg"))
    let missing = #expect(throws: EntryStoreError.self) { try LateStore(lost, FenceSet()) }
    #expect(missing?.reason == "it cannot be opened or created")
  }
}
