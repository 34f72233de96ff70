import Foundation
import Storing
import TestSupport
import Testing

@testable import Outbox

/// Ten thousand events over HTTP to a server that fails a fifth of all requests.
///
/// The waits are those of the real schedule, for which the clock of the test jumps ahead; in the shipped
/// program they would take hours.
@Suite("A webhook that fails a fifth of all requests", .timeLimit(.minutes(90)))
struct FlakyWebhookTests {
  private static let devices = ["boat", "bus", "van"]
  private static let count = 10_000

  @Test("gets 10,000 events of three devices, each acknowledged once, in order")
  func everything() throws {
    let (fixture, stand) = (try OutboxFixture(), try WebhookStand())
    let seed = 20
    print("seed \(seed)")
    let peer = try WebhookPeer(in: stand.folder, seed: seed)
    let loop = try fixture.loop(
      OutboxFixture.receiver(), stand.courier(peer.url("flaky?rate=0.2")))
    try fixture.store.keep(
      (0..<Self.count).map { number in
        OutboxFixture.enter(
          hour: Double(number), fence: "depot", device: Self.devices[number % Self.devices.count])
      })
    while let wait = fixture.run(loop) { fixture.now += wait }

    let overview = try #require(try fixture.queue.overview().first)
    #expect(overview.delivered == Self.count && overview.waiting == 0 && overview.dead == 0)
    // The requests for one event follow one another; only the last one was acknowledged.
    var events: [(id: String, attempts: [WebhookPeer.Request])] = []
    let requests = try peer.requests()
    for request in requests {
      let id = try #require(request.headers["webhook-id"])
      if events.last?.id != id { events.append((id, [])) }
      events[events.count - 1].attempts.append(request)
    }
    #expect(requests.count > Self.count * 11 / 10, "nothing failed")
    #expect(events.count == Self.count && Set(events.map(\.id)).count == Self.count)
    #expect(events.allSatisfy { $0.attempts.last?.accepted == true })
    #expect(events.allSatisfy { Set($0.attempts.map(\.body)).count == 1 })
    for (name, first) in zip(Self.devices, 0...) {
      let delivered = try events.compactMap { event -> String? in
        let event = try #require(OutgoingEvent(line: event.attempts[0].text))
        return event.device == name ? event.time : nil
      }
      #expect(delivered == delivered.sorted())
      #expect(Set(delivered).count == (first..<Self.count).count { $0 % 3 == first })
    }
  }
}
