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
    #expect(dialect.messages(for: delivery, try MQTTFixture.presence()).map(\.topic) == [
      "waymark/van/event"
    ])
  }

  @Test("the announcement has the state of each fence, the withdrawal removes it")
  func announcement() throws {
    let messages = dialect.announcement(
      of: try MQTTFixture.presence(), [MQTTFixture.depot, MQTTFixture.harbour])
    #expect(messages.map(\.payload) == ["inside", "unknown"])
    #expect(messages.allSatisfy(\.isRetained))
    #expect(
      dialect.withdrawal(of: "old/harbour", from: "van")
        == [.removal("waymark/van/old%2fharbour/state")])
  }
}

@Suite("OwnTracks over MQTT") struct OwnTracksDialectTests {
  private let dialect = OwnTracksDialect(user: "jane", fencesSince: 1_700_000_000)

  @Test("an enter is a transition, and a retained location with its region")
  func enter() throws {
    let messages = dialect.messages(
      for: try MQTTFixture.delivery(more: #","speed":10.0,"course":0.2"#),
      try MQTTFixture.presence("van", [:]))
    try #require(messages.count == 2)
    let rid = MQTTName.hash("depot")
    #expect(messages[0].topic == "owntracks/jane/van/event" && !messages[0].isRetained)
    #expect(
      messages[0].payload == """
        {"_type":"transition","event":"enter","desc":"depot","rid":"\(rid)","wtst":1700000000,\
        "tst":1777873511,"lat":52.4562091,"lon":13.3229710,"acc":5,"tid":"an","t":"c"}
        """)
    #expect(messages[1].topic == "owntracks/jane/van" && messages[1].isRetained)
    #expect(
      messages[1].payload == """
        {"_type":"location","lat":52.4562091,"lon":13.3229710,"tst":1777873511,\
        "created_at":1777873512,"acc":5,"vel":36,"tid":"an","inregions":["depot"],\
        "inrids":["\(rid)"]}
        """)
  }

  @Test("an exit is a leave, and its region is left")
  func exit() throws {
    let messages = dialect.messages(
      for: try MQTTFixture.delivery("exit"),
      try MQTTFixture.presence("van", ["depot": .inside, "city": .inside]))
    #expect(messages[0].payload.contains(#""event":"leave""#))
    #expect(messages[1].payload.contains(#""inregions":["city"]"#))
  }

  @Test(
    "what OwnTracks has no word for moves the location",
    arguments: ["dwell", "visit", "significant-change", "state"])
  func others(type: String) throws {
    let messages = dialect.messages(
      for: try MQTTFixture.delivery(type), try MQTTFixture.presence())
    #expect(messages.map(\.topic) == ["owntracks/jane/van"])
  }

  @Test("a problem and a visit that is taken back give nothing")
  func nothing() throws {
    let presence = try MQTTFixture.presence()
    #expect(dialect.messages(for: try MQTTFixture.delivery("problem"), presence).isEmpty)
    #expect(
      dialect.messages(
        for: try MQTTFixture.delivery("visit", more: #","retracted":true"#), presence
      ).isEmpty)
  }

  @Test("the tracker id has two letters or digits", arguments: [
    ("van", "an"), ("b", "mb"), ("Süd 7", "d7"), ("→", "wm"),
  ])
  func trackerIDs(device: String, id: String) {
    #expect(OwnTracksDialect.trackerID(device) == id)
  }

  @Test("every message holds to the booklet", .enabled(if: Schema.isInstalled, "no jsonschema"))
  func schema() throws {
    var schema = Schema("owntracks")
    let presence = try MQTTFixture.presence()
    for type in ["enter", "exit"] {
      for more in ["", #","speed":0.01,"course":359.9"#, #","accuracy":0.0"#] {
        let messages = dialect.messages(
          for: try MQTTFixture.delivery(type, device: "Süd/ \u{1F6F0}", more: more), presence)
        schema.add("transition", json: messages[0].payload)
        schema.add("location", json: messages[1].payload)
      }
    }
    let announcement = dialect.announcement(
      of: presence, [MQTTFixture.depot, MQTTFixture.harbour])
    #expect(announcement.map(\.isRetained) == [false, true])
    schema.add("waypoints", json: announcement[0].payload)
    schema.add("location", json: announcement[1].payload)
    #expect(try schema.findings() == "")
  }

  @Test("the schema finds a wrong message", .enabled(if: Schema.isInstalled, "no jsonschema"))
  func wrong() throws {
    var schema = Schema("owntracks")
    schema.add("transition", json: #"{"_type":"transition","event":"exit"}"#)
    #expect(try schema.findings().contains("'exit' is not one of ['enter', 'leave']"))
  }
}

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

  @Test(
    "every message holds to Home Assistant's rules",
    .enabled(if: Schema.isInstalled, "no jsonschema"))
  func schema() throws {
    var schema = Schema("home-assistant")
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
      for type in ["enter", "exit", "dwell", "visit", "state", "significant-change"] {
        let messages = dialect.messages(
          for: try MQTTFixture.delivery(type, device: device), presence)
        schema.add("event payload", json: try #require(messages.last).payload)
      }
    }
    #expect(try schema.findings() == "")
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

  @Test("a problem gives nothing")
  func nothing() throws {
    #expect(
      dialect.messages(for: try MQTTFixture.delivery("problem"), try MQTTFixture.presence())
        .isEmpty)
  }
}
