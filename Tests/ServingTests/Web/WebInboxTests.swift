@testable import Serving
import Testing

@Suite("What waits for the server of the live map")
struct WebInboxTests {
  private func line(_ number: Int) -> [UInt8] { Array("{\"e\":\(number)}\n".utf8) }

  private func inbox(events: Int, backlog: Int = 1 << 20) -> WebInbox {
    var limits = WebLimits()
    (limits.events, limits.backlog, limits.positions) = (events, backlog, 3)
    return WebInbox(limits: limits)
  }

  @Test("one state waits, and the newest positions, events and their reasons; the rest is counted")
  func bounded() {
    var inbox = inbox(events: 2)
    let calls = [inbox.await(), inbox.await()]
    #expect(calls == [true, false])
    for number in 1...5 {
      inbox.add(WebState(status: [UInt8(number)], metrics: [], position: [UInt8(number)]))
      inbox.add([line(number)], .event)
      inbox.add([line(-number)], .reason)
    }
    let (batch, hasMore) = inbox.takeBatch()
    #expect(!hasMore && batch.state?.status == [5] && batch.positions == [[3], [4], [5]])
    #expect(batch.messages.map(\.line) == [4, -4, 5, -5].map(line))
    #expect(batch.unsent == 3)
    let isCalled = inbox.await()
    #expect(isCalled)
    let next = inbox.takeBatch().batch
    #expect(next.state == nil && next.messages.isEmpty && next.unsent == 0)
  }

  @Test("many events are sent in batches, one after the other")
  func batches() {
    var inbox = inbox(events: 100, backlog: 8 * 20)
    _ = inbox.await()
    inbox.add((1...9).map(line), .event)
    var sent: [[[UInt8]]] = []
    while true {
      let (batch, hasMore) = inbox.takeBatch()
      sent.append(batch.messages.map(\.line))
      // As long as more is to follow, nobody must be called.
      let isCalled = inbox.await()
      #expect(isCalled == !hasMore)
      guard hasMore else { break }
    }
    #expect(sent.map(\.count) == [3, 3, 3] && sent.flatMap(\.self) == (1...9).map(line))
  }
}
