import Foundation
import TestSupport
import Testing

@testable import Outbox

@Suite("Messages with fields of an event") struct MessageTemplateTests {
  static let line = """
    {"type":"exit","id":"5df2c4b47418110a","device":"van","fence":"depot",\
    "time":"2026-05-04T05:45:11.109Z","decided":"2026-05-04T05:45:12.000Z",\
    "latitude":52.4562091,"longitude":13.3229710,"accuracy":4.64,"timeUncertainty":0.343,\
    "interpolated":true,"confidence":0.990,"duration":4511.109}
    """

  static func delivery(_ line: String = line) throws -> Delivery {
    Delivery(sequence: 7, event: try #require(OutgoingEvent(line: line)), json: line)
  }

  static let berlin = TimeZone(identifier: "Europe/Berlin")

  @Test("fields are those of the event, times those of the zone")
  func fields() throws {
    let zone = try #require(Self.berlin)
    let template = try MessageTemplate(
      "{device} {verb} {fence} at {time} on {date} ± {uncertainty}, after {duration} {{{id}}}")
    #expect(
      template.text(for: try Self.delivery(), in: zone)
        == "van left depot at 07:45:11 on 2026-05-04 ± 0.3 s, after 1 h 15 min "
        + "{5df2c4b47418110a-0}")
  }

  @Test("a field that an event does not have is empty")
  func absent() throws {
    let zone = try #require(Self.berlin)
    #expect(try MessageTemplate("[{place}]").text(for: try Self.delivery(), in: zone) == "[]")
  }

  @Test(
    "an unknown field and a lone brace are errors", arguments: ["{devcie}", "{device", "a } b"])
  func invalid(text: String) {
    #expect(throws: MessageTemplate.Invalid.self) { try MessageTemplate(text) }
  }
}
