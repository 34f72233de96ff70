import Foundation
import Testing
import WaymarkFoundation
import WaymarkKit

@Suite("Events in the event log's own JSON")
struct EventCodingTests {
  private static let time = Timestamp(nanoseconds: 1_777_703_460_250_000_000)

  private static func event(_ statement: Event.Statement, isBare: Bool = false) -> Event {
    Event(
      statement: statement, time: time, decided: time + .milliseconds(1_700),
      coordinate: Coordinate(latitude: 52.5163, longitude: -13.3777),
      horizontalAccuracy: isBare ? nil : 4.75, speed: isBare ? nil : 12.25,
      course: isBare ? nil : 270.5)
  }

  private static var visit: Visit {
    var visit = Visit(
      arrival: time, isArrivalSeen: false, departure: time + .seconds(600), confidence: 0.975)
    (visit.revision, visit.isRetracted) = (1, true)
    (visit.arrivalUncertainty, visit.departureUncertainty) = (30.5, 12)
    return visit
  }

  /// One of every kind, with and without what may be unknown.
  static var events: [Event] {
    let crossing = Crossing(timeUncertainty: 0.375, isInterpolated: true, confidence: 0.991)
    let unseen = Crossing(timeUncertainty: nil, isInterpolated: false, confidence: nil)
    let standing = Visit(
      arrival: time, isArrivalSeen: true, departure: nil, confidence: 0.95)
    return [
      event(.enter(fence: "home", crossing)), event(.enter(fence: "a \"b\"", unseen), isBare: true),
      event(.exit(fence: "home", crossing, inside: 12.5)),
      event(.dwell(fence: "home", inside: 300)),
      event(.state(fence: "home", .outside, confidence: 0.5)),
      event(.state(fence: "home", .unknown, confidence: nil), isBare: true),
      event(.visit(visit)), event(.visit(standing)), event(.significantChange),
    ]
  }

  @Test("decode(encode(event)) is the event", arguments: events)
  func roundTrip(_ event: Event) throws {
    let bytes = try JSONEncoder().encode(event)
    #expect(try JSONDecoder().decode(Event.self, from: bytes) == event)
  }

  @Test("a record round-trips with its device and place", arguments: events)
  func recordRoundTrip(_ event: Event) throws {
    let record = EventRecord(device: "van ☂", event: event, place: "Café")
    let bytes = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(EventRecord.self, from: bytes) == record)
  }

  @Test("the line of the log is read, and written again byte for byte", arguments: events)
  func line(_ event: Event) throws {
    let record = EventRecord(device: "van", event: event)
    let read = try EventRecord(json: Data(record.json.utf8))
    #expect(read == record)
    #expect(read.json == record.json)
  }

  @Test("both encodings have the same keys and values", arguments: events)
  func sameObject(_ event: Event) throws {
    let record = EventRecord(device: "van", event: event)
    let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(record))
    let line = try JSONSerialization.jsonObject(with: Data(record.json.utf8))
    #expect(try #require(encoded as? NSDictionary) == (try #require(line as? NSDictionary)))
  }

  @Test("numbers keep the digits of the log")
  func digits() throws {
    var event = Self.event(.significantChange)
    event.coordinate = Coordinate(latitude: 1.234_567_891, longitude: 359.987e-3)
    event.time = Timestamp(nanoseconds: 1_777_703_460_250_499_999)
    let decoded = try JSONDecoder().decode(Event.self, from: JSONEncoder().encode(event))
    #expect(decoded.coordinate.latitude == 1.2345679)
    #expect(decoded.time == Self.time)
  }

  @Test("an event has no device, a record an id that is the same in every run")
  func ids() throws {
    let record = EventRecord(device: "van", event: Self.events[0])
    let encoded = try JSONEncoder().encode(record.event)
    let text = String(decoding: encoded, as: UTF8.self)
    #expect(!text.contains("\"device\"") && !text.contains("\"id\""))
    #expect(record.id.count == 16 && record.json.contains("\"id\":\"\(record.id)\""))
    #expect(record.id == EventRecord(device: "van", event: Self.events[0]).id)
    #expect(record.id != EventRecord(device: "bus", event: Self.events[0]).id)
  }

  @Test("what is no event is refused, and the message names the key")
  func refused() {
    let start =
      "{\"device\":\"van\",\"time\":\"2026-05-02T06:31:00Z\",\"decided\":\"2026-05-02T06:31:00Z\","
    let place = "\"latitude\":1,\"longitude\":2,"
    let wrong: [(line: String, key: String)] = [
      ("{\"type\":\"fix\",\"device\":\"van\",\"latitude\":1,\"longitude\":2}", "type"),
      (start + place + "\"type\":\"enter\",\"fence\":\"home\"}", "interpolated"),
      (start + place + "\"type\":\"dwell\",\"fence\":\"home\"}", "duration"),
      (start + place + "\"type\":\"state\",\"fence\":\"home\",\"state\":\"near\"}", "state"),
      (start + "\"type\":\"significant-change\",\"latitude\":1}", "longitude"),
      ("{\"type\":\"significant-change\",\"time\":\"noon\"}", "time"),
      (
        start.replacing("\"device\":\"van\",", with: "") + place
          + "\"type\":\"significant-change\"}",
        "device"
      ),
    ]
    for (line, key) in wrong {
      do {
        _ = try EventRecord(json: Data(line.utf8))
        Issue.record("\(line) was read")
      } catch let error as DecodingError {
        switch error {
        case .keyNotFound(let found, _): #expect(found.stringValue == key, "\(line)")
        case .dataCorrupted(let context):
          #expect(context.debugDescription.contains(key), "\(line)")
        default: Issue.record("\(line): \(error)")
        }
      } catch {
        Issue.record("\(line): \(error)")
      }
    }
  }

  @Test("the parts of an event are at hand")
  func parts() {
    let events = Self.events
    #expect(events[0].fence == "home" && events[0].crossing?.timeUncertainty == 0.375)
    #expect(events[2].timeInside == .milliseconds(12_500))
    #expect(events[4].containment == .outside && events[4].confidence == 0.5)
    #expect(events[6].visit?.stay == .seconds(600) && events[7].visit?.stay == nil)
    #expect(events[8].fence == nil && events[8].confidence == nil)
  }
}
