@testable import Formats
import Geodesy
import TestSupport
import Testing
import Tracking

/// Messages of phones and trackers.
@Suite("Messages of devices")
struct ReportMessageTests {
  private static func message(
    _ json: String, _ sender: ReportSender = ReportSender()
  ) throws -> ReportMessage {
    try ReportMessage(json: Array(json.utf8), from: sender)
  }

  private static func error(_ json: String) -> String? {
    #expect(throws: ReportError.self) { try message(json) }?.description
  }

  private static let location =
    #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1770000000,"acc":12,"vel":36,"cog":90,"alt":30,"#
    + #""vac":4,"batt":80,"conn":"w""#

  @Test("OwnTracks: km/h, the device by user and device, by topic, by tid")
  func ownTracks() throws {
    let named = try Self.message(
      Self.location + #","tid":"JP"}"#, ReportSender(user: "jane", device: "phone"))
    #expect(named.dialect == .ownTracks && named.problems.isEmpty)
    #expect(named.reports.map(\.device) == ["jane/phone"])
    var fix = Fix(
      time: Timestamp(nanoseconds: 1_770_000_000_000_000_000),
      coordinate: Coordinate(latitude: 52.5, longitude: 13.4))
    (fix.horizontalAccuracy, fix.verticalAccuracy, fix.altitude) = (12, 4, 30)
    (fix.speed, fix.course) = (10, 90)
    #expect(named.reports[0].fixes == [fix])
    func device(_ rest: String) throws -> [String] {
      try Self.message(Self.location + rest + "}").reports.map(\.device)
    }
    #expect(try device(#","topic":"owntracks/jane/phone","tid":"JP""#) == ["jane/phone"])
    #expect(try device(#","topic":"fleet/7""#) == ["fleet/7"])
    #expect(try device(#","tid":"JP""#) == ["JP"])
    for type in ["transition", "waypoints", "lwt", "status", "card"] {
      let other = try Self.message(#"{"_type":"\#(type)","lat":1,"lon":2,"tst":3}"#)
      #expect(other.dialect == .ownTracks && other.reports.isEmpty)
    }
  }

  @Test("Overland: a batch in its order, by device")
  func overland() throws {
    func feature(_ device: String, _ second: Int, _ more: String = "") -> String {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":"#
        + #"{"timestamp":"2026-02-02T02:40:\#(10 + second)Z","device_id":"\#(device)"\#(more)}}"#
    }
    let batch = [
      feature("a", 1, #","horizontal_accuracy":8,"speed":2.5,"course":-1,"motion":["walking"]"#),
      feature("b", 0), feature("a", 0), feature("a", 2),
    ]
    let message = try Self.message(
      #"{"locations":[\#(batch.joined(separator: ","))],"current":{"x":[1]}}"#)
    #expect(message.dialect == .overland)
    #expect(message.reports.map(\.device) == ["a", "b"])
    #expect(
      message.reports[0].fixes.map { $0.time?.nanoseconds }
        == [11, 10, 12].map { 1_770_000_000_000_000_000 + $0 * 1_000_000_000 })
    let first = message.reports[0].fixes[0]
    #expect(first.horizontalAccuracy == 8 && first.speed == 2.5 && first.course == nil)
    let forms = [feature("caf\u{E9}", 0), feature("cafe\u{301}", 0)].joined(separator: ",")
    #expect(try Self.message(#"{"locations":[\#(forms)]}"#).reports.count == 2)
    // A batch without positions is confirmed, or it would be sent for ever.
    let timer = #"{"type":"Feature","geometry":null,"properties":{"device_id":"a"}}"#
    for features in ["", timer, "\(timer),\(timer)"] {
      let empty = try Self.message(#"{"locations":[\#(features)]}"#)
      #expect(empty.reports.isEmpty && empty.problems.isEmpty)
    }
    let nameless = #"{"locations":[\#(feature("", 1))]}"#
    let named = try Self.message(nameless, ReportSender(device: "ola"))
    #expect(named.reports.map(\.device) == ["ola"])
    #expect(Self.error(nameless)?.hasPrefix("found no name of the device, expected one") == true)
  }

  @Test("Overland: one bad position does not cost the others of its batch")
  func badPosition() throws {
    let message = try Self.message(
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
        + #""properties":{"device_id":"a"}},{"type":"Feature","geometry":{"type":"Point","#
        + #""coordinates":[13.4,52.5]},"properties":{"timestamp":"2026-02-02T02:40:10Z","#
        + #""device_id":"a"}}]}"#)
    #expect(message.reports.map(\.fixes.count) == [1])
    #expect(message.problems == ["a position has no time; it is left out"])
  }

  @Test("Traccar's forwarding: knots, uniqueId, no accuracy of 0, nothing that is not valid")
  func traccar() throws {
    func text(_ valid: Bool, _ device: String) -> String {
      #"{"position":{"id":7,"deviceId":1,"protocol":"osmand","serverTime":"2026-02-02T02:41:00Z","#
        + #""fixTime":"2026-02-02T02:40:00.250+00:00","valid":\#(valid),"latitude":52.5,"#
        + #""longitude":13.4,"altitude":12.5,"speed":10.0,"course":90,"accuracy":0.0,"#
        + #""attributes":{"speed":3,"latitude":1}},"device":\#(device)}"#
    }
    let message = try Self.message(
      text(true, #"{"id":1,"name":"Van","uniqueId":"860123","attributes":{"name":"x"}}"#))
    #expect(message.dialect == .traccar)
    #expect(message.reports.map(\.device) == ["860123"])
    let fix = try #require(message.reports.first?.fixes.first)
    #expect(fix.time == Timestamp(nanoseconds: 1_770_000_000_250_000_000))
    #expect(abs((fix.speed ?? 0) - 5.144444) < 1e-6 && fix.horizontalAccuracy == nil)
    #expect(fix.coordinate == Coordinate(latitude: 52.5, longitude: 13.4))
    #expect(try Self.message(text(true, #"{"name":"Van"}"#)).reports.map(\.device) == ["Van"])
    #expect(try Self.message(text(true, "null")).reports.map(\.device) == ["1"])
    #expect(try Self.message(text(false, #"{"name":"Van"}"#)).reports.isEmpty)
  }

  @Test("a query of GPSLogger and one of OsmAnd; an accuracy from the HDOP")
  func query() throws {
    let osmAnd = try ReportMessage(
      query: [
        ("id", "walker"), ("lat", "52.5"), ("lon", "13.4"), ("timestamp", "1770000000123"),
        ("hdop", "1.5"), ("altitude", "44.0"), ("speed", "1.25"), ("bearing", "12"), ("batt", ""),
      ])
    #expect(osmAnd.dialect == .query && osmAnd.reports.map(\.device) == ["walker"])
    let fix = try #require(osmAnd.reports.first?.fixes.first)
    #expect(fix.time == Timestamp(nanoseconds: 1_770_000_000_123_000_000))
    #expect(fix.hdop == 1.5 && fix.altitude == 44 && fix.speed == 1.25 && fix.course == 12)
    #expect(15...20 ~= fix.horizontalAccuracy ?? 0)
    // As Docs/Live.md has it for OsmAnd, whose `hdop` is an accuracy.
    let accurate = try ReportMessage(
      query: [
        ("id", "walker"), ("lat", "52.5"), ("lon", "13.4"), ("timestamp", "1770000000123"),
        ("accuracy", "4.5"),
      ])
    #expect(accurate.reports.first?.fixes.first?.horizontalAccuracy == 4.5)
    let logger = try ReportMessage(
      query: [
        ("lat", "52.5"), ("lon", "13.4"), ("time", "2026-02-02T02:40:00.000Z"), ("acc", "6.5"),
        ("spd", "0.5"), ("dir", "200.5"), ("alt", "30"), ("sat", "7"),
      ], from: ReportSender(device: "phone"))
    let other = try #require(logger.reports.first)
    #expect(other.device == "phone" && other.fixes[0].horizontalAccuracy == 6.5)
    #expect(other.fixes[0].satellites == 7 && other.fixes[0].course == 200.5)
  }

  @Test(
    "what is no message has one clear line",
    arguments: [
      ("", "byte 0: the text ends, expected a value"),
      ("[]", "byte 0: expected an object"),
      (#"{"locations":"#, "byte 13: the text ends, expected a value"),
      (#"{"a":1}"#, "found an object without _type, locations or position, expected a message of"),
      (#"{"_type":"encrypted","data":"x"}"#, "the message is encrypted; switch the encryption off"),
      (
        #"{"_type":"location","tid":"x","lat":"north","lon":1,"tst":1}"#,
        "lat is \"north\", where a number of decimal degrees was expected; it is left out"
      ),
      (
        #"{"_type":"location","tid":"x","lon":1,"tst":1}"#,
        "the record has no latitude; it is left out"
      ),
      (
        #"{"_type":"location","tid":"a\u0007b","lat":1,"lon":1,"tst":1}"#,
        "found a name of the device with control characters, or of more than 200 bytes"
      ),
    ])
  func errors(json: String, message: String) {
    #expect(Self.error(json)?.hasPrefix(message) == true, "\(Self.error(json) ?? "")")
  }

  @Test("a query without a position, and text that is no query")
  func queryErrors() {
    func error(_ query: [(String, String)]) -> String? {
      #expect(throws: ReportError.self) {
        try ReportMessage(query: query.map { (name: $0, value: $1) })
      }?.description
    }
    #expect(error([("id", "x")]) == "found no lat and lon, expected both")
    #expect(
      error([("id", "x"), ("lat", "1"), ("lon", "east")])
        == #"lon is "east", where a number of decimal degrees was expected; it is left out"#)
  }

  @Test("any message that is cut or changed is read or refused, and never ends the program")
  func damage() throws {
    let messages = [
      Self.location + #","tid":"JP"}"#,
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
        + #""properties":{"timestamp":"2026-02-02T02:40:10Z","device_id":"a"}}]}"#,
      #"{"position":{"latitude":1,"longitude":2,"fixTime":"2026-02-02T02:40:00Z"},"device":{"name":"x"}}"#,
    ]
    var generator = SeededGenerator(seed: 27)
    var readCount = 0
    for message in messages {
      let bytes = Array(message.utf8)
      for length in bytes.indices {
        #expect(throws: ReportError.self) { try ReportMessage(json: Array(bytes[..<length])) }
      }
      for _ in 0..<2_000 {
        var changed = bytes
        changed[Int.random(in: changed.indices, using: &generator)] = UInt8.random(
          in: .min ... .max, using: &generator)
        if let found = try? ReportMessage(json: changed) {
          readCount += 1
          #expect(found.reports.allSatisfy { !$0.device.isEmpty && !$0.fixes.isEmpty })
        }
      }
    }
    #expect(readCount > 100)
  }
}
