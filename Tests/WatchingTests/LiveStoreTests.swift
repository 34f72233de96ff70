import EventLog
import Geodesy
import Session
import Testing
import Tracking

@testable import Watching

@Suite("A store of a live run that fails") struct LiveStoreTests {
  private final class FullStore: EntryStore {
    let kinds = Set(LogEntry.Kind.allCases)
    var isFull = true
    private(set) var kept: [LogEntry] = []

    func keep(_ entries: [LogEntry]) throws(EntryStoreError) {
      if isFull { throw EntryStoreError(path: "store", reason: "full", isTemporary: true) }
      kept += entries
    }

    func keep(_ fences: FenceSet) throws(EntryStoreError) {}
  }

  private static let time = Timestamp(nanoseconds: 1_741_593_600_000_000_000)
  private static let coordinate = Coordinate(latitude: 0, longitude: 0)
  private static let fix = LogEntry(device: "van", .fix(Fix(time: time, coordinate: coordinate)))
  private static let event = LogEntry(
    device: "van",
    .event(
      Event(
        statement: .significantChange, time: time, decided: time, coordinate: coordinate,
        horizontalAccuracy: 5)))

  @Test("counts events and fixes apart, those that wait and those that were dropped")
  func lost() {
    let full = FullStore()
    let store = LiveStore(full)
    let now = ContinuousClock.now
    store.take([Self.event, Self.fix, Self.fix], at: now)
    #expect(store.lost.events == 1 && store.lost.fixes == 2)
    store.take(Array(repeating: Self.fix, count: 100_000), at: now)
    #expect(store.lost.events == 1 && store.lost.fixes == 100_002)
    #expect(store.dropped == 3)
    full.isFull = false
    store.attempt(at: now)
    #expect(store.lost.events == 1 && store.lost.fixes == 2 && store.failure == nil)
    #expect(full.kept.count == 100_000)
  }

  @Test("that could not be used at the start fails until an attempt succeeds")
  func begins() {
    let full = FullStore()
    let failure = EntryStoreError(path: "store", reason: "locked", isTemporary: true)
    let store = LiveStore(full, failure: failure)
    #expect(store.failure == failure && !store.hasMore && store.deadline == nil)
    full.isFull = false
    store.take([Self.event], at: .now)
    #expect(store.failure == nil && full.kept.count == 1)
  }
}
