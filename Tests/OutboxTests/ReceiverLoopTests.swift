import EventLog
import Foundation
import GRDB
import Storing
import TestSupport
import Testing

@testable import Outbox

@Suite("The queue of a receiver") struct ReceiverLoopTests {
  private let fixture: OutboxFixture

  init() throws { fixture = try OutboxFixture() }

  @Test("delivers what comes after its first run, in order, once each")
  func order() throws {
    try fixture.keep(hour: 0)
    let loop = try fixture.loop()
    for hour in 1...3 { try fixture.keep(hour: Double(hour)) }
    #expect(fixture.run(loop) == nil)
    #expect(fixture.courier.delivered == ["van depot 09:00", "van depot 10:00", "van depot 11:00"])
    // Another run goes on where the last one ended.
    try fixture.keep(hour: 4)
    fixture.run(try fixture.loop())
    #expect(fixture.courier.attempts.last == "van depot 12:00")
    #expect(fixture.courier.attempts.count == 4)
  }

  @Test("has only the events that the receiver wants")
  func filters() throws {
    let loop = try fixture.loop(
      OutboxFixture.receiver(fences: ["depot", "b"], devices: ["van"]))
    try fixture.keep(hour: 1)
    try fixture.keep(hour: 2, fence: "home")
    try fixture.keep(hour: 3, device: "boat")
    try fixture.keep(hour: 4, fence: "b")
    let waiting = try #require(try fixture.queue.overview().first)
    #expect(waiting.waiting == 2 && waiting.oldest == "2025-03-10T09:00:00.000Z")
    fixture.run(loop)
    #expect(fixture.courier.attempts == ["van depot 09:00", "van b 12:00"])
    let none = try fixture.loop(OutboxFixture.receiver(kinds: [.visit]))
    try fixture.keep(hour: 5)
    #expect(fixture.run(none) == nil && fixture.courier.attempts.count == 2)
  }

  @Test("knows devices by the bytes of their names") func forms() throws {
    let forms = ["caf\u{E9}", "cafe\u{301}"]
    for (hour, wanted) in zip(1..., [[forms[0]], [forms[1]]]) {
      let loop = try fixture.loop(OutboxFixture.receiver(devices: wanted))
      for device in forms { try fixture.keep(hour: Double(hour), device: device) }
      let before = fixture.courier.delivered.count
      fixture.run(loop)
      let delivered = fixture.courier.delivered.dropFirst(before)
      let expected = wanted.map { "\($0) depot \(hour == 1 ? "09" : "10"):00" }
      #expect(delivered.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }
  }

  @Test("waits longer after each failure in a row, as Standard Webhooks advises")
  func backOff() throws {
    let loop = try fixture.loop()
    try fixture.keep(hour: 1)
    fixture.courier.outcomes = Array(repeating: .failed(reason: "status 500"), count: 11)
    var waits: [Double] = []
    while let wait = fixture.run(loop) {
      waits.append(wait)
      // Not a moment earlier.
      fixture.now += wait - 0.5
      #expect(fixture.run(loop) != nil && fixture.courier.attempts.count == waits.count)
      fixture.now += 0.5
    }
    #expect(
      waits == [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400])
    #expect(fixture.courier.delivered == ["van depot 09:00"])
    #expect(
      fixture.reports == [
        "house: status 500; the next attempt is in 5 s", "house: delivering again",
      ])
    #expect(try fixture.queue.position(of: "house")?.attempts == 0)
  }

  @Test("tries again soon while the network is down, and at most each five minutes")
  func unreachable() throws {
    let loop = try fixture.loop()
    try fixture.keep(hour: 1)
    fixture.courier.outcomes = Array(repeating: .unreachable(reason: "no route"), count: 8)
    var waits: [Double] = []
    while let wait = fixture.run(loop) {
      waits.append(wait)
      fixture.now += wait
    }
    #expect(waits == [1, 2, 5, 15, 60, 300, 300, 300])
  }

  @Test("waits at least as long as the receiver asks for")
  func retryAfter() throws {
    let loop = try fixture.loop()
    try fixture.keep(hour: 1)
    fixture.courier.outcomes = [.failed(reason: "status 429", after: .seconds(120))]
    #expect(fixture.run(loop) == 120)
    #expect(try fixture.queue.overview().first?.position.error == "status 429")
  }

  @Test("keeps its waits over a restart, but not those of a clock that was set back")
  func restart() throws {
    try fixture.keep(hour: 0)
    _ = try fixture.loop()
    try fixture.keep(hour: 1)
    fixture.courier.outcomes = [.failed(reason: "status 500"), .failed(reason: "status 500")]
    #expect(fixture.run(try fixture.loop()) == 5)
    fixture.now += 1
    #expect(fixture.run(try fixture.loop()) == 4)
    fixture.now -= 30 * 86_400
    #expect(fixture.run(try fixture.loop()) == 300)
  }

  @Test("makes dead letters of events that failed for too long, and only of those")
  func giveUp() throws {
    let loop = try fixture.loop(OutboxFixture.receiver(giveUp: 7_200))
    try fixture.keep(hour: 0)
    try fixture.keep(hour: 0.5)
    fixture.courier.outcomes = Array(repeating: .failed(reason: "status 500"), count: 4)
    for _ in 0..<4 {
      let wait = try #require(fixture.run(loop))
      if fixture.courier.attempts.count == 3 { try fixture.keep(hour: 2) }
      fixture.now += wait
    }
    // Attempts at 0 s, 5 s, 305 s, 2,105 s and 9,305 s; the last one is over the limit.
    fixture.courier.outcomes = [.failed(reason: "status 500")]
    fixture.run(loop)
    #expect(
      try fixture.queue.deadLetters(of: "house").map(\.reason) == ["status 500", "status 500"])
    #expect(
      fixture.reports.last == "house: given up 2 events after 2 h 35 min: status 500; see "
        + "`waymark outbox --dead`")
    fixture.now += 86_400
    fixture.run(loop)
    #expect(fixture.courier.delivered == ["van depot 10:00"])
    let overview = try #require(try fixture.queue.overview().first)
    #expect(overview.dead == 2 && overview.delivered == 1 && overview.waiting == 0)
  }

  @Test("stops for a receiver that is gone, until somebody retries")
  func gone() throws {
    let loop = try fixture.loop()
    try fixture.keep(hour: 1)
    fixture.courier.outcomes = [.gone(reason: "status 410")]
    #expect(fixture.run(loop) == nil)
    fixture.now += 30 * 86_400
    #expect(fixture.run(try fixture.loop()) == nil && fixture.courier.attempts.count == 1)
    #expect(fixture.reports.first?.contains("`waymark outbox --retry`") == true)
    try fixture.queue.retry("house")
    fixture.run(loop)
    #expect(fixture.courier.delivered == ["van depot 09:00"])
  }

  @Test("leaves an event where it is when the run ends in its attempt")
  func stopped() throws {
    let loop = try fixture.loop()
    try fixture.keep(hour: 1)
    fixture.courier.outcomes = [.stopped]
    #expect(fixture.run(loop) == 0)
    let position = try #require(try fixture.queue.position(of: "house"))
    #expect(position.attempts == 0 && position.error == nil)
    fixture.run(loop)
    #expect(fixture.courier.delivered == ["van depot 09:00"])
  }

  @Test("delivers again since a time, also what was given up, under the same ids")
  func replay() throws {
    let loop = try fixture.loop()
    for hour in 1...3 { try fixture.keep(hour: Double(hour)) }
    fixture.run(loop)
    #expect(try fixture.queue.replay("house", since: "2025-03-10T10:00:00.000Z") == 2)
    fixture.run(loop)
    #expect(
      fixture.courier.delivered
        == [1, 2, 3, 2, 3].map { "van depot \($0 == 1 ? "0" : "")\($0 + 8):00" }
    )
  }

  @Test("a replay that is asked for in an attempt is not undone by it")
  func replayMeanwhile() throws {
    let loop = try fixture.loop()
    for hour in 1...2 { try fixture.keep(hour: Double(hour)) }
    fixture.run(loop)
    try fixture.keep(hour: 3)
    let queue = fixture.queue
    fixture.courier.meanwhile = { _ = try queue.replay("house", since: "2025-03-10T09:00:00.000Z") }
    #expect(loop.step(until: fixture.stop) == .again)
    fixture.courier.meanwhile = {}
    fixture.run(loop)
    #expect(
      fixture.courier.delivered.map { $0.suffix(5) }
        == ["09:00", "10:00", "11:00", "09:00", "10:00", "11:00"])
  }

  @Test("drops what waits when somebody discards it")
  func discard() throws {
    let loop = try fixture.loop()
    for hour in 1...3 { try fixture.keep(hour: Double(hour)) }
    #expect(try fixture.queue.discard("house") == 3)
    #expect(fixture.run(loop) == nil && fixture.courier.attempts.isEmpty)
  }

  @Test("counts the dead letters among those that somebody discards")
  func discardDead() throws {
    let loop = try fixture.loop()
    for hour in 1...3 { try fixture.keep(hour: Double(hour)) }
    let given = try fixture.queue.giveUp(
      "house", decidedBefore: "2025-03-10T10:30:00.000Z", reason: "no")
    #expect(given == 2)
    #expect(try fixture.queue.discard("house") == 3)
    #expect(try fixture.queue.discard("house") == 0)
    #expect(fixture.run(loop) == nil && fixture.courier.attempts.isEmpty)
  }

  @Test(
    "holds events back in quiet hours, or drops those of these hours",
    arguments: QuietHours.Policy.allCases)
  func quiet(policy: QuietHours.Policy) throws {
    // 22:00 to 07:00; the events are at 21:00, 23:00 and 08:00.
    let quiet = QuietHours(start: 22 * 60, end: 7 * 60, policy: policy)
    let loop = try fixture.loop(OutboxFixture.receiver(quietHours: quiet))
    for hour in [13.0, 15, 24] {
      try fixture.keep(hour: hour)
      fixture.now = OutboxFixture.startSeconds + hour * 3_600
      let wait = fixture.run(loop)
      #expect((wait == nil) == (policy == .drop || hour != 15))
    }
    let all = ["21:00", "23:00", "08:00"]
    #expect(
      fixture.courier.delivered.map { String($0.suffix(5)) }
        == (policy == .hold ? all : ["21:00", "08:00"]))
  }

  @Test("in quiet hours nothing is delivered that was decided before them, or has no time")
  func quietBatch() throws {
    // 22:00 to 07:00; a phone reports at 23:00 what happened at 21:00.
    let quiet = QuietHours(start: 22 * 60, end: 7 * 60, policy: .drop)
    let loop = try fixture.loop(
      OutboxFixture.receiver(kinds: [.enter, .problem], quietHours: quiet))
    let timeless = { LogEntry(device: $0, .problem(LogEntry.Problem(message: "no time"))) }
    try fixture.store.keep([timeless("a")])
    fixture.now += 15 * 3_600
    #expect(fixture.run(loop) == nil)
    try fixture.keep(hour: 13)
    try fixture.keep(hour: 15)
    #expect(fixture.run(loop) == 60 && fixture.courier.attempts.isEmpty)
    fixture.now += 8 * 3_600
    #expect(fixture.run(loop) == nil)
    try fixture.store.keep([timeless("b")])
    #expect(fixture.run(loop) == nil)
    #expect(fixture.courier.delivered == ["van depot 21:00", "b  "])
  }

  @Test("is idle while the store cannot be used, so the end of a run does not wait for it")
  func busyStore() throws {
    let loop = try fixture.loop()
    try fixture.keep(hour: 1)
    let other = try DatabaseQueue(path: fixture.scratch.file("events.gpkg"))
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      #expect(loop.step(until: fixture.stop) == .idle)
      try db.execute(sql: "ROLLBACK")
    }
    #expect(fixture.reports.count == 1 && fixture.courier.attempts.isEmpty)
    fixture.run(loop)
    #expect(fixture.courier.delivered == ["van depot 09:00"])
  }

  @Test("keeps events beyond the retention while an active receiver lacks them")
  func retention() throws {
    let fixture = try OutboxFixture(retention: 86_400)
    let loop = try fixture.loop()
    for hour in [1, 2, 40.0, 80] { try fixture.keep(hour: hour) }
    #expect(try fixture.queue.overview().first?.waiting == 4)
    fixture.run(loop)
    for hour in [120.0, 140, 160] { try fixture.keep(hour: hour) }
    // Without the receiver in the config they go.
    try fixture.queue.activate([])
    for hour in [180.0, 200, 220] { try fixture.keep(hour: hour) }
    #expect(try fixture.queue.overview().first?.waiting == 2)
    #expect(fixture.courier.delivered.count == 4)
  }
}
