import TestSupport
import Testing
import Tracking

@testable import Outbox

@Suite("The event log over MQTT") struct WaymarkDialectTests {
  private let dialect = WaymarkDialect(topic: "waymark")

  @Test("an event is the line of the log, after the state of its fence")
  func event() throws {
    let delivery = try MQTTFixture.delivery(device: "a/b", fence: "50%")
    let messages = dialect.messages(
      for: delivery, try MQTTFixture.presence("a/b", ["50%": .inside]))
    #expect(
      messages == [
        MQTTMessage(topic: "waymark/a%2fb/50%25/state", payload: "inside", isRetained: true),
        MQTTMessage(
          topic: "waymark/a%2fb/event", payload: delivery.json, isJSON: true, id: delivery.id),
      ])
  }

  @Test("an event without a fence is one message")
  func withoutFence() throws {
    let delivery = try MQTTFixture.delivery("visit", fence: nil)
    #expect(
      dialect.messages(for: delivery, try MQTTFixture.presence()).map(\.topic) == [
        "waymark/van/event"
      ])
  }

  @Test("the announcement has the state of each fence, the withdrawal removes it")
  func announcement() throws {
    let messages = dialect.announcement(
      of: try MQTTFixture.presence(), [MQTTFixture.depot, MQTTFixture.harbour])
    #expect(messages.map(\.payload) == ["inside", "unknown"])
    #expect(messages.map(\.isRetained) == [true, true])
    #expect(
      dialect.withdrawal(of: "old/harbour", from: "van")
        == [.removal("waymark/van/old%2fharbour/state")])
  }
}
