import TestSupport
import Testing
import Tracking

@testable import Outbox

@Suite("OwnTracks over MQTT") struct OwnTracksDialectTests {
  private let dialect = OwnTracksDialect(user: "jane", fencesSince: 1_700_000_000)

  @Test("an enter is a transition, and a retained location with its region")
  func enter() throws {
    let messages = dialect.messages(
      for: try MQTTFixture.delivery(more: #","speed":10.0,"course":0.2"#),
      try MQTTFixture.presence())
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

  @Test("an exit is a leave; the location of an old event names no regions")
  func exit() throws {
    let messages = dialect.messages(
      for: try MQTTFixture.delivery("exit", sequence: 2), try MQTTFixture.presence())
    #expect(messages[0].payload.contains(#""event":"leave""#))
    #expect(messages[1].payload.contains(#""lat""#) && !messages[1].payload.contains("inr"))
  }

  @Test(
    "what OwnTracks has no word for moves the location",
    arguments: ["dwell", "visit", "significant-change", "state"])
  func others(type: String) throws {
    let messages = dialect.messages(
      for: try MQTTFixture.delivery(type), try MQTTFixture.presence())
    #expect(messages.map(\.topic) == ["owntracks/jane/van"])
  }

  @Test(
    "a departure and a visit that is taken back give nothing",
    arguments: [#","retracted":true"#, #","departure":"2026-05-04T05:50:00.000Z""#])
  func nothing(more: String) throws {
    let delivery = try MQTTFixture.delivery("visit", more: more)
    #expect(dialect.messages(for: delivery, try MQTTFixture.presence()).isEmpty)
  }

  @Test(
    "the tracker id has two letters or digits",
    arguments: [
      ("van", "an"), ("b", "mb"), ("Süd 7", "d7"), ("→", "wm"),
    ])
  func trackerIDs(device: String, id: String) {
    #expect(OwnTracksDialect.trackerID(device) == id)
  }

  @Test("every message holds to the booklet")
  func schema() throws {
    var schema = MessageSchema("owntracks")
    let presence = try MQTTFixture.presence()
    for type in ["enter", "exit"] {
      for more in ["", #","speed":0.01,"course":359.9"#] {
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

  @Test("the schema finds a wrong message")
  func wrong() throws {
    var schema = MessageSchema("owntracks")
    schema.add("transition", json: #"{"_type":"transition","event":"exit"}"#)
    #expect(try schema.findings().contains("'exit' is not one of ['enter', 'leave']"))
  }
}
