import EventLog
import GRDB
import Session
import Storing
import TestSupport
import Testing
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
