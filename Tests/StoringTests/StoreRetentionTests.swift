import Testing
import Tracking

@testable import Storing

@Suite("What a store keeps for a time") struct StoreRetentionTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static let day = 86_400.0
  private static let retention = 90 * day
  /// Twenty years after the start, as a clock is wrong by 1,024 weeks.
  private static let wrong = 7_168 * day

  /// The hours of the events, and their devices.
  private func kept() throws -> [String] {
    try fixture.rows("SELECT device, substr(decided, 1, 10) FROM events ORDER BY seq")
  }

  @Test("a replay with a wrong date deletes nothing, whether or not more such dates follow")
  func wrongDate() throws {
    let day = Self.day
    let old = (0..<4).map { StoreFixture.exit(at: Double($0) * day) }
    try fixture.open(retention: Self.retention).keep(old)
    let store = try fixture.open(retention: Self.retention)
    // A receiver that reports the wrong date for an hour, and then the right one; another one stays wrong.
    try store.keep([StoreFixture.enter(at: Self.wrong)])
    try store.keep([StoreFixture.exit(at: Self.wrong + 3_600)])
    try store.keep([StoreFixture.enter(at: 4 * day), StoreFixture.exit(at: 5 * day)])
    try store.keep([StoreFixture.enter(at: Self.wrong + 200 * day, of: "boat")])
    #expect(try kept().count == 9)
    // What is older than the retention goes all the same.
    let next = try fixture.open(retention: Self.retention)
    for number in 1...10 { try next.keep([StoreFixture.enter(at: Double(number) * 10 * day)]) }
    #expect(
      try fixture.rows("SELECT count(*), min(decided) FROM events") == [
        "13|2025-03-20T08:00:00.000Z"
      ])
  }

  @Test("after a long silence a replay deletes when the new events are as long as the retention")
  func silence() throws {
    let day = Self.day
    let store = try fixture.open(retention: 10 * day)
    try store.keep([StoreFixture.enter(at: 0), StoreFixture.exit(at: day)])
    try store.keep([StoreFixture.enter(at: 400 * day), StoreFixture.exit(at: 405 * day)])
    #expect(try kept().count == 4)
    try store.keep([StoreFixture.enter(at: 411 * day)])
    #expect(try fixture.rows("SELECT seq FROM events") == ["4", "5"])
    // Events that are always so far apart are deleted as well, one later.
    for number in 1...5 {
      try store.keep([StoreFixture.enter(at: Double(411 + 20 * number) * day)])
    }
    #expect(try fixture.rows("SELECT seq FROM events WHERE type = 'enter'") == ["9", "10"])
  }

  @Test("in a live run no date is later than the present")
  func live() throws {
    let day = Self.day
    var present = StoreFixture.start
    let store = try fixture.open(retention: Self.retention, isLive: true) { present }
    try store.keep([StoreFixture.exit(at: 0)])
    present = StoreFixture.start.advanced(bySeconds: 4 * day)
    try store.keep([StoreFixture.exit(at: 4 * day)])
    try store.keep([StoreFixture.enter(at: Self.wrong, of: "phone")])
    #expect(try kept().count == 3)
    // After a silence the present counts at once.
    present = StoreFixture.start.advanced(bySeconds: 93 * day)
    try store.keep([StoreFixture.enter(at: Self.wrong + 89 * day, of: "phone")])
    #expect(try kept() == ["van|2025-03-14", "phone|2044-10-24", "phone|2045-01-21"])
  }

  @Test("what a live run stores stays as long as after it was stored, also with a date of the past")
  func past() throws {
    let day = Self.day
    var present = StoreFixture.start
    let store = try fixture.open(retention: Self.retention, isLive: true) { present }
    try store.keep([
      StoreFixture.enter(at: -Self.wrong, of: "tracker"),
      StoreFixture.exit(at: 60 - Self.wrong, of: "tracker"),
    ])
    for (days, count) in [(0.0, 2), (89, 2), (91, 1)] {
      present = StoreFixture.start.advanced(bySeconds: days * day)
      try store.keep([StoreFixture.enter(at: days * day)])
      #expect(try kept().count { $0.hasPrefix("tracker") } == count)
    }
  }
}
