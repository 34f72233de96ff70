import TestSupport
import Testing
import Tracking

@testable import Outbox

@Suite("Home Assistant over MQTT") struct HomeAssistantDialectTests {
  private let dialect = HomeAssistantDialect(
    discovery: "homeassistant", topic: "waymark", availability: "waymark/ha/availability",
    zones: ["depot": "zone.work"])

  @Test("an event gives occupancy, both trackers and the event, which is not retained")
  func event() throws {
    let delivery = try MQTTFixture.delivery()
    let presence = try MQTTFixture.presence("van", ["depot": .inside, "Old Café": .inside])
    let messages = dialect.messages(for: delivery, presence)
    let base = "waymark/home-assistant/van"
    #expect(
      messages.map(\.topic) == [
        "\(base)/fences/depot", "\(base)/presence", "\(base)/position", "\(base)/event",
      ])
    #expect(messages.map(\.isRetained) == [true, true, true, false])
    #expect(messages[0].payload == "ON")
    #expect(messages[1].payload == #"{"in_zones":["zone.old_cafe","zone.work"]}"#)
    #expect(
      messages[2].payload
        == #"{"latitude":52.4562091,"longitude":13.3229710,"gps_accuracy":4.6}"#)
    #expect(
      messages[3].payload == #"{"event_type":"enter","delivery":"\#(delivery.id)","#
        + delivery.json.dropFirst())
  }

  @Test("occupancy is ON, OFF, or None for unknown")
  func occupancy() throws {
    for (state, payload) in [(Containment.inside, "ON"), (.outside, "OFF"), (.unknown, "None")] {
      let messages = dialect.messages(
        for: try MQTTFixture.delivery(), try MQTTFixture.presence("van", ["depot": state]))
      #expect(messages[0].payload == payload)
    }
  }

  @Test("a fence that leaves the config is removed from discovery")
  func withdrawal() {
    #expect(
      dialect.withdrawal(of: "a b", from: "van") == [
        .removal("homeassistant/binary_sensor/waymark__van/a_20b/config"),
        .removal("waymark/home-assistant/van/fences/a b"),
      ])
  }

  @Test("every message holds to Home Assistant's rules")
  func schema() throws {
    var schema = MessageSchema("home-assistant")
    let fences = [MQTTFixture.depot, MQTTFixture.harbour]
    for device in ["van", "Süd/ +#\u{1F6F0}"] {
      let presence = try MQTTFixture.presence(device, ["old/harbour": .inside])
      for message in dialect.announcement(of: presence, fences) {
        #expect(message.isRetained)
        let levels = message.topic.split(separator: "/").map(String.init)
        if levels[0] == "homeassistant" {
          schema.add(levels[1], json: message.payload)
          schema.add("discovery topic", text: message.topic)
        } else if message.isJSON {
          schema.add(try #require(levels.last), json: message.payload)
        } else {
          schema.add("occupancy", text: message.payload)
        }
        schema.add("topic", text: message.topic)
      }
      for type in ["enter", "exit", "dwell", "visit", "state", "significant-change", "status"] {
        let messages = dialect.messages(
          for: try MQTTFixture.delivery(type, device: device), presence)
        schema.add("event payload", json: try #require(messages.last).payload)
      }
    }
    #expect(try schema.findings() == "")
  }

  @Test("the event entity names every type of event that can be delivered")
  func eventTypes() throws {
    let messages = dialect.announcement(of: DevicePresence(device: "van"), [])
    let entity = try #require(messages.first { $0.topic.hasSuffix("/event/config") })
    let types = #""enter","exit","dwell","state","visit","significant-change","status""#
    #expect(entity.payload.contains(#""event_types":[\#(types)]"#))
  }

  @Test("the ids of entities are unique")
  func ids() throws {
    let fences = ["presence", "event", "a", "A"].map {
      FenceSummary(id: $0, latitude: 0, longitude: 0, radius: 1)
    }
    var seen = Set<Substring>()
    var count = 0
    for device in ["van", "van__presence", "van_"] {
      let messages = dialect.announcement(of: DevicePresence(device: device), fences)
      for message in messages where message.topic.hasSuffix("/config") {
        let id = try #require(message.payload.split(separator: #""unique_id":""#).dropFirst().first)
        seen.insert(id.prefix { $0 != "\"" })
        count += 1
      }
    }
    #expect(seen.count == count && count == 3 * (3 + fences.count))
  }

  @Test("an event of a fence that left the config brings its sensor not back")
  func former() throws {
    let messages = dialect.messages(
      for: try MQTTFixture.delivery(), try MQTTFixture.presence("van", [:]))
    #expect(!messages.contains { $0.topic.hasSuffix("/fences/depot") })
    #expect(messages.last?.topic == "waymark/home-assistant/van/event")
  }
}
