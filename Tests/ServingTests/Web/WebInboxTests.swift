@testable import Serving
import Testing
import Text

@Suite("What waits for the server of the live map")
struct WebInboxTests {
  private func line(_ number: Int) -> [UInt8] { Array("{\"e\":\(number)}\n".utf8) }

  private func inbox(events: Int, backlog: Int = 1 << 20, devices: Int = 10) -> WebInbox {
    var limits = WebLimits()
    (limits.events, limits.backlog, limits.positions) = (events, backlog, 3)
    limits.devices = devices
    return WebInbox(limits: limits)
  }

  private func state(_ device: String, _ number: UInt8) -> WebState {
    WebState(device: device, status: [number], positions: [[number]])
  }

  @Test("one state waits, and the newest positions, events and their reasons; the rest is counted")
  func bounded() {
    var inbox = inbox(events: 2)
    let calls = [inbox.await(), inbox.await()]
    #expect(calls == [true, false])
    for number in 1...5 {
      inbox.add(state("van", UInt8(number)))
      inbox.add(WebRun(status: [UInt8(number)], metrics: []))
      inbox.add([line(number)], .event)
      inbox.add([line(-number)], .reason)
    }
    let (batch, hasMore) = inbox.takeBatch()
    #expect(!hasMore && batch.states.map(\.status) == [[5]] && batch.run?.status == [5])
    #expect(batch.tracks.all()[ExactText("van")].map(Array.init) == [[3], [4], [5]])
    #expect(batch.messages.map(\.line) == [4, -4, 5, -5].map(line))
    #expect(batch.unsent == 3)
    let isCalled = inbox.await()
    #expect(isCalled)
    let next = inbox.takeBatch().batch
    #expect(next.states.isEmpty && next.run == nil && next.messages.isEmpty && next.unsent == 0)
    #expect(next.tracks.count == 0)
  }

  @Test("one state of each device waits, in order; nothing of a device before it is forgotten")
  func devices() {
    var inbox = inbox(events: 2)
    for (device, number) in [("a", 1), ("b", 2), ("c", 3), ("a", 4)] {
      inbox.add(state(device, UInt8(number)))
    }
    inbox.add(forgotten: "a")
    inbox.add(forgotten: "x")
    inbox.add(state("c", 5))
    inbox.add(state("a", 6))
    let batch = inbox.takeBatch().batch
    #expect(batch.forgotten == ["a", "x"])
    #expect(batch.states.map(\.device) == ["b", "c", "a"])
    #expect(batch.states.map(\.status) == [[2], [5], [6]])
    #expect(batch.tracks.all()[ExactText("a")].map(Array.init) == [[6]])
  }

  @Test("every position of a burst waits")
  func bursts() {
    var inbox = inbox(events: 2)
    inbox.add(WebState(device: "jane", status: [1], positions: [[1], [2], [3]]))
    inbox.add(state("jane", 4))
    inbox.add(state("van", 5))
    let batch = inbox.takeBatch().batch
    #expect(batch.tracks.all()[ExactText("jane")].map(Array.init) == [[3], [4]])
    #expect(batch.tracks.all()[ExactText("van")].map(Array.init) == [[5]])
    inbox.add(WebState(device: "jane", status: [1], positions: [[5], [6]]))
    inbox.add(forgotten: "jane")
    let next = inbox.takeBatch().batch
    #expect(next.tracks.count == 0 && next.forgotten == ["jane"])
  }

  @Test("a stalled server bounds devices and forgotten devices")
  func stalled() {
    var inbox = inbox(events: 2, devices: 2)
    for number in 0..<9 {
      inbox.add(state("new\(number)", UInt8(number)))
      inbox.add(forgotten: "old\(number)")
    }
    let batch = inbox.takeBatch().batch
    #expect(batch.states.map(\.device) == ["new7", "new8"])
    #expect(batch.forgotten == ["old7", "old8"])
    #expect(batch.tracks.count == 2)
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
