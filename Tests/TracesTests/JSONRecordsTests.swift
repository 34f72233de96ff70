@testable import Formats
import Geodesy
import TestSupport
import Testing
import Text
@testable import Traces
import Tracking

private func read(
  _ text: String, as layout: JSONRecords.Layout = .google,
  _ options: ReadingOptions = ReadingOptions(), pieces: [Int] = []
) -> Decoded {
  decode(text, with: JSONTraceDecoder(JSONRecords(layout, options)), pieces: pieces)
}

private let records = """
  {
    "locations": [{
      "latitudeE7": 525163000, "longitudeE7": 133777000, "accuracy": 20, "velocity": 3,
      "heading": 271, "altitude": -4, "verticalAccuracy": 2,
      "activity": [{"activity": [{"type": "STILL", "confidence": 90}], "timestampMs": "1"}],
      "source": "GPS", "deviceTag": -118, "timestamp": "2025-03-10T14:02:07.250Z"
    }, {
      "timestampMs": "1741615329000", "latitudeE7": 3770000000, "longitudeE7": 133778000,
      "accuracy": -1
    },
    {"activity": [{"activity": []}], "timestamp": "2025-03-10T14:02:10Z"},
    {"latitudeE7": "north", "longitudeE7": 1, "timestamp": "2025-03-10T14:02:11Z"},
    {"latitudeE7": 1, "timestamp": "2025-03-10T14:02:12Z"},
    {"latitudeE7": 10000000, "longitudeE7": 20000000, "accuracy": [5], "timestamp": "noon"}]
  }

  """

@Suite("Google's Records.json")
struct GoogleRecordsTests {
  @Test("records are fixes, in degrees, metres and their device's name")
  func values() throws {
    let decoded = read(records)
    try #require(decoded.points.count == 3)
    let (first, second) = (decoded.points[0], decoded.points[1])
    #expect(decoded.points.map(\.line) == [2, 7, 14])
    #expect(first.fix.time == Timestamp(nanoseconds: 1_741_615_327_250_000_000))
    #expect(first.fix.coordinate == Coordinate(latitude: 52.5163, longitude: 13.3777))
    #expect(first.fix.horizontalAccuracy == 20 && first.fix.speed == 3 && first.fix.course == 271)
    #expect(first.fix.altitude == -4 && first.fix.verticalAccuracy == 2)
    #expect(decoded.devices == ["-118"] && first.device == 0 && second.device == nil)
    #expect(second.fix.time == Timestamp(nanoseconds: 1_741_615_329_000_000_000))
    #expect(second.fix.horizontalAccuracy == nil)
  }

  @Test("milliseconds before September 2001 have fewer digits")
  func earlyMilliseconds() {
    let decoded = read(
      #"{"locations": [{"timestampMs": "995863016213", "latitudeE7": 1, "longitudeE7": 2}]}"#)
    #expect(decoded.issues.isEmpty)
    #expect(
      decoded.points.map(\.fix.time) == [Timestamp(nanoseconds: 995_863_016_213_000_000)])
  }

  @Test("an unsigned position of 32 bits is the negative one that was meant")
  func unsigned() {
    #expect(isNear(read(records).points[1].fix.coordinate.latitude, -52.4967296, within: 1e-9))
  }

  @Test("what is not valid is reported at its place, the rest is read")
  func issues() {
    let decoded = read(records)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 12:18 latitudeE7 is \"north\", where a number of ten millionths of a degree was "
          + "expected; it is left out",
        "record 13:56 the record has no longitude; it is left out",
        "record 14:65 accuracy is an array, where a text or a number was expected; it is left out",
        "record 14:83 timestamp is \"noon\", where RFC 3339 as 2025-03-10T14:02:07Z or seconds "
          + "since 1970 was expected; it is left out",
      ])
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 1)
  }

  @Test("a document that is a record too is read from both sides of its records, on its own line")
  func documentWithRecords() {
    let decoded = read(
      """
      {"latitudeE7": 30000000,
       "locations": [{"latitudeE7": 10000000, "longitudeE7": 20000000, "timestampMs": "1741615329000"}],
       "longitudeE7": 40000000, "timestampMs": "1741615330000"}
      """)
    #expect(decoded.issues.isEmpty)
    #expect(decoded.points.map(\.line) == [2, 1])
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [1, 3])
    #expect(decoded.points.map(\.fix.coordinate.longitude) == [2, 4])
  }

  @Test("half of a surrogate pair in a name is reported, and the records after it are read")
  func halfPair() {
    let text = #"""
      {"locations": [
      {"note\udc00": "\ud800", "deviceTag": "a\ud800", "latitudeE7": 10, "longitudeE7": 20,
       "timestamp": "2025-03-10T14:02:07Z"},
      {"deviceTag": "b", "latitudeE7": 10, "longitudeE7": 20, "timestamp": "2025-03-10T14:02:08Z"}]}
      """#
    let decoded = read(text)
    #expect(decoded.points.count == 2 && decoded.devices == ["a\u{FFFD}", "b"])
    #expect(
      decoded.issues.map(\.shown) == [
        "record 2:41 found half of a surrogate pair, expected both halves as \\u escapes; "
          + "it is read as U+FFFD"
      ])
    #expect(read(text, pieces: [40, 41, 60, 61]).issues == decoded.issues)
    // The format is recognised behind one.
    let unknown = #"{"note": "\ud800", "locations": [{"latitudeE7": 10}]}"#
    #expect(TraceFormat.detect(Array(unknown.utf8)[...], isFinal: true) == .format(.googleRecords))
  }

  @Test("on one line, with CRLF or behind a byte order mark it is the same")
  func spellings() {
    let plain = read(records)
    let line = read(records.replacing("\n", with: " "))
    #expect(line.points.map(\.fix) == plain.points.map(\.fix))
    #expect(line.points.allSatisfy { $0.line == 1 } && line.issues.count == plain.issues.count)
    #expect(read(records.replacing("\n", with: "\r\n")).points == plain.points)
    #expect(read("\u{FEFF}" + records) == plain)
  }

  @Test("cut at any byte, the same is read")
  func cuts() {
    let whole = read(records)
    for cut in 0...records.utf8.count { #expect(read(records, pieces: [cut]) == whole, "\(cut)") }
    #expect(read(records, pieces: Array(repeating: 1, count: records.utf8.count)) == whole)
  }

  @Test("a file that ends early is read as far as it goes")
  func endsEarly() {
    let count = records.utf8.count
    for end in 3..<count - 2 {
      let decoded = read(String(decoding: records.utf8.prefix(end), as: UTF8.self))
      #expect(decoded.issues.last?.kind == .truncated, "\(end)")
      #expect(read(records).points.starts(with: decoded.points), "\(end)")
    }
    #expect(
      read(#"{"locations":[{"latitudeE7":1,"#).issues.map(\.shown) == [
        "truncated 1:31 the file ends inside the document; what is complete was read"
      ])
  }

  @Test("an error of the JSON ends reading")
  func malformed() {
    let decoded = read(
      "{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2},\n{latitudeE7:3}, {\"latitudeE7\":1}]}")
    #expect(decoded.points.count == 1)
    #expect(
      decoded.issues.map(\.shown) == [
        "malformed 2:2 found \"l\", expected a key in double quotes"
      ])
  }

  @Test("arrays and objects nested deeper than 64 levels are refused")
  func depth() {
    let head = #"{"locations":[{"latitudeE7":1,"longitudeE7":2,"activity":"#
    let fine = head + String(repeating: "[", count: 61) + String(repeating: "]", count: 61) + "}]}"
    #expect(read(fine).points.count == 1 && read(fine).issues.isEmpty)
    let deep = read(head + String(repeating: "[", count: 1_000_000))
    #expect(
      deep.issues.map(\.message) == ["arrays and objects are nested deeper than 64 levels"])
  }

  @Test("a member without a meaning may have any length")
  func longMembers() {
    let text = String(repeating: #"\"é\\"#, count: 400_000)
    let numbers = String(repeating: "[1, \"\(text.prefix(70_000))\"],", count: 20)
    let document =
      #"{"a":""# + text + #"","b":["# + numbers + #"0],"locations":[{"latitudeE7":1,"c":""# + text
      + #"","longitudeE7":2}],"d":""# + text + "\"}"
    for size in [60_000, 64 << 10, 100_001] {
      var decoder = JSONTraceDecoder(JSONRecords(.google))
      var batch = TraceBatch()
      let bytes = Array(document.utf8)
      var (used, most) = (0, 0)
      var given = 0
      while given < bytes.count {
        given = min(given + size, bytes.count)
        most = max(most, given - used)
        let piece = Array(bytes[used..<given])
        used += decoder.decode(piece.span, isFinal: given == bytes.count, into: &batch)
      }
      #expect(batch.points.count == 1 && batch.marks.isEmpty, "\(batch.marks)")
      #expect(most <= 3 * size, "no more is held back than a text that is scanned whole")
    }
  }

  @Test("a long text that does not end is a file that ends early")
  func endlessText() {
    let text = #"{"locations":[{"latitudeE7":1,"longitudeE7":2},{"a":""#
    let decoded = read(
      text + String(repeating: "x", count: 300_000), pieces: Array(repeating: 70_000, count: 4))
    #expect(decoded.points.count == 1 && decoded.issues.map(\.kind) == [.truncated])
  }

  @Test("a value that is read is limited to 1 MiB")
  func longValue() throws {
    let text = #"{"locations":[{"latitudeE7":1,"longitudeE7":2},{"timestamp":""#
    let file = TemporaryFile(Array((text + String(repeating: "1", count: 2_000_000)).utf8))
    var reader = try TraceReader(path: file.path)
    var batch = TraceBatch()
    var (points, issues): (Int, [String]) = (0, [])
    while try reader.read(into: &batch) {
      points += batch.points.count
      issues += batch.marks.compactMap {
        if case .issue(let it) = $0.mark { it.shown } else { nil }
      }
    }
    #expect(reader.format == .googleRecords && points == 1)
    #expect(
      issues == ["malformed 1:1 the record after this line is longer than the limit of 1 MiB"])
  }
}

@Suite("JSON of OwnTracks")
struct OwnTracksJSONTests {
  static let message = """
    {"_type":"location","acc":12,"alt":40,"cog":90,"lat":52.5163,"lon":13.3777,"tid":"ph",
    "tst":1741615327,"vac":3,"vel":36,"topic":"owntracks/jane/phone","batt":90}
    """

  @Test(
    "a message, an array, lines, and what the Recorder answers",
    arguments: [
      "M", "[M,M]", "M\nM\n", #"{"count":1,"locations":[M],"a":1}"#,
      #"{"count":1,"data":[M,{"_type":"lwt","tst":1}],"status":200}"#,
    ])
  func documents(form: String) {
    let text = form.replacing("M", with: Self.message)
    let decoded = read(text, as: .ownTracks)
    #expect(TraceFormat.detect(Array(text.utf8)[...], isFinal: true) == .format(.ownTracks))
    #expect(decoded.points.count == form.count { $0 == "M" } && decoded.issues.isEmpty)
    #expect(decoded.marks.count == form.count { $0 == "w" })
    for point in decoded.points {
      #expect(point.fix.time == Timestamp(nanoseconds: 1_741_615_327_000_000_000))
      #expect(point.fix.coordinate == Coordinate(latitude: 52.5163, longitude: 13.3777))
      #expect(point.fix.speed == 10 && point.fix.course == 90 && point.fix.altitude == 40)
      #expect(point.fix.horizontalAccuracy == 12 && point.fix.verticalAccuracy == 3)
      #expect(decoded.devices[Int(point.device ?? -1)] == "owntracks/jane/phone")
    }
  }

  @Test("without a topic, the tracker's id is the device")
  func trackerID() {
    let decoded = read(
      #"{"lat":1,"lon":2,"tid":"ph","_type":"location","\u0074st":1741615327}"#, as: .ownTracks)
    #expect(decoded.devices.last == "ph" && decoded.points.first?.fix.time != nil)
  }
}

@Suite("JSON of Traccar")
struct TraccarJSONTests {
  private let positions = """
    [{"id":7,"attributes":{"distance":0.0,"speed":99},"deviceId":3,"protocol":"osmand",
    "serverTime":"2025-03-10T14:02:09.000+00:00","deviceTime":"2025-03-10T14:02:08.000+00:00",
    "fixTime":"2025-03-10T15:02:07.000+01:00","valid":true,"latitude":52.5163,"longitude":13.3777,
    "altitude":40.0,"speed":10.0,"course":90.0,"address":null,"accuracy":0.0,"network":null},
    {"deviceId":3,"fixTime":"2025-03-10T14:02:08.000+00:00","latitude":1,"longitude":2,
    "accuracy":5.5,"valid":true},
    {"deviceId":3,"fixTime":"2025-03-10T14:02:09.000+00:00","latitude":1,"longitude":2,
    "valid":false}]
    """

  @Test("speeds are in knots, an accuracy of 0 is unknown, an invalid position is no fix")
  func values() throws {
    let decoded = read(positions, as: .traccar)
    #expect(
      TraceFormat.detect(Array(positions.utf8)[...], isFinal: true) == .format(.traccar))
    try #require(decoded.points.count == 2)
    let fix = decoded.points[0].fix
    #expect(fix.time == Timestamp(nanoseconds: 1_741_615_327_000_000_000))
    #expect(isNear(fix.speed, 5.144, within: 0.001) && fix.course == 90 && fix.altitude == 40)
    #expect(fix.horizontalAccuracy == nil && decoded.points[1].fix.horizontalAccuracy == 5.5)
    #expect(decoded.devices == ["3"] && decoded.points.map(\.device) == [0, 0])
    #expect(decoded.marks.count == 1 && decoded.marks[0].contains("otherRecord"))
  }

  @Test(
    "the same in a message of the WebSocket and in a forwarded one, also behind other messages",
    arguments: [
      #"{"positions":[FIRST,SECOND]}"#, #"{"data":[FIRST,SECOND]}"#,
      #"{"devices":[{"id":3,"name":"van","positionId":9}],"positions":[FIRST,SECOND]}"#,
      #"{"position":FIRST,"device":{"id":3,"uniqueId":"12"}}"# + "\n"
        + #"{"device":{"id":3},"position":SECOND}"#,
      #"{"devices":[{"id":3,"status":"online"}]}"# + "\n" + #"{"positions":[FIRST]}"# + "\n"
        + #"{"events":[{"id":1,"deviceId":3}]}"# + "\n" + #"{"positions":[SECOND]}"#,
    ])
  func messages(form: String) throws {
    let common = #""latitude":52.5,"longitude":13.3,"speed":10,"accuracy":0"#
    let first = #"{"id":1,"deviceId":3,"fixTime":"2025-03-10T14:02:07Z","valid":true,\#(common)}"#
    let second = #"{"id":2,"fixTime":"2025-03-10T14:02:08Z","deviceId":3,"valid":false,\#(common)}"#
    let text = form.replacing("FIRST", with: first).replacing("SECOND", with: second)
    #expect(TraceFormat.detect(Array(text.utf8)[...], isFinal: true) == .format(.traccar))
    let decoded = read(text, as: .traccar)
    try #require(decoded.points.count == 1)
    let fix = decoded.points[0].fix
    #expect(fix.time == Timestamp(nanoseconds: 1_741_615_327_000_000_000))
    #expect(isNear(fix.speed, 5.144, within: 0.001) && fix.horizontalAccuracy == nil)
    #expect(decoded.points[0].device.map { decoded.devices[Int($0)] } == "3")
    #expect(decoded.issues.isEmpty)
    // The second position, devices and events.
    let others = 1 + (form.contains("devices") ? 1 : 0) + (form.contains("events") ? 1 : 0)
    #expect(decoded.marks.count { $0.contains("otherRecord") } == others)
    for cut in 0...text.utf8.count {
      #expect(read(text, as: .traccar, pieces: [cut]) == decoded, "\(cut)")
    }
  }

  @Test(
    "positions of other programs are not taken for Traccar's",
    arguments: [
      #"{"positions":[{"lat":1,"lon":2,"time":1741615327}]}"#,
      #"{"position":{"lat":1,"lon":2},"time":1741615327}"#,
      #"{"devices":[{"lat":1,"lon":2,"deviceId":"a","time":1741615327}]}"#,
    ])
  func otherPositions(text: String) {
    #expect(TraceFormat.detect(Array(text.utf8)[...], isFinal: true) == .format(.jsonTable))
  }

  @Test("a position whose device is neither a text nor a number is reported and not used")
  func unreadableDevice() {
    let records = ["true", "[3]", #"{"id":3}"#, "3.0", "3", "null"].map {
      #"{"deviceId":\#($0),"fixTime":"2025-03-10T14:02:08Z","latitude":1,"longitude":2}"#
    }
    let decoded = read("[\(records.joined(separator: ","))]", as: .traccar)
    #expect(decoded.devices == ["3"] && decoded.points.map(\.device) == [0, 0, nil])
    #expect(decoded.issues.count == 3 && decoded.marks.count == 3)
  }

  @Test("records without a position are no track, an empty list of them is no error")
  func noPositions() {
    let text = #"{"locations":[{"lat":52.5,"lon":13.25,"time":"2025-03-10T14:02:07Z"},{"x":1}]}"#
    let decoded = decode(text, with: JSONTraceDecoder(JSONRecords(.google)))
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:1 there is no track: no record has latitudeE7 and longitudeE7"
      ])
    #expect(
      decode(#"{"locations":[]}"#, with: JSONTraceDecoder(JSONRecords(.google))).issues.isEmpty)
  }
}

@Suite("Times without a zone in JSON of Google, OwnTracks and Traccar")
struct JSONRecordsZoneTests {
  private static func options(_ offset: @escaping @Sendable (Int64) -> Int) -> ReadingOptions {
    var options = ReadingOptions()
    options.zone = LocalZone(name: "Test/Zone", offset: offset)
    return options
  }

  private func seconds(_ decoded: Decoded) -> [Int64] {
    decoded.points.compactMap { $0.fix.time.map { $0.nanoseconds / 1_000_000_000 } }
  }

  /// A time without a zone, then one that needs none.
  private static let documents: [(layout: JSONRecords.Layout, text: String)] = [
    (
      .google,
      #"{"locations":[{"timestamp":"2025-03-10T09:10:00","latitudeE7":1,"longitudeE7":2},"#
        + #"{"timestampMs":"1741594260000","latitudeE7":1,"longitudeE7":2}]}"#
    ),
    (
      .traccar,
      #"[{"fixTime":"2025-03-10T09:10:00.000","latitude":1,"longitude":2},"#
        + #"{"fixTime":"2025-03-10T08:11:00Z","latitude":1,"longitude":2}]"#
    ),
    (
      .ownTracks,
      #"{"_type":"location","tst":"2025-03-10T09:10:00","lat":1,"lon":2}"#
        + "\n" + #"{"_type":"location","tst":1741594260,"lat":1,"lon":2}"#
    ),
  ]

  @Test("are noted, and read in the zone that the user names")
  func zone() {
    let named = Self.options { _ in 3_600 }
    for document in Self.documents {
      let decoded = read(document.text, as: document.layout, named)
      #expect(seconds(decoded) == [1_741_594_200, 1_741_594_260])
      #expect(decoded.marks.count == 1)
      #expect(
        decoded.marks.last?.contains("times without a zone are read as Test/Zone") == true)
      let plain = read(document.text, as: document.layout)
      #expect(seconds(plain) == [1_741_597_800, 1_741_594_260])
      #expect(plain.marks.last?.contains("as UTC; --csv-time-zone names another") == true)
    }
  }

  @Test("are reported where the zone moves them out of the years of times")
  func outOfRange() {
    let text =
      #"{"locations":[{"timestamp":"2261-12-31T23:59:59","latitudeE7":1,"longitudeE7":2}]}"#
    let decoded = read(text, Self.options { _ in -18_000 })
    #expect(decoded.points.map(\.fix.time) == [nil])
    #expect(
      decoded.issues == [
        TraceIssue(
          .record, line: 1, column: 1,
          "the time is not of the years 1678 to 2261 in its zone; it is left out", code: .wrongTime)
      ])
    #expect(read(text).issues.isEmpty)
  }

  @Test("follow the order of their device where the clock goes back")
  func repeated() {
    let rows = [("02:30", 1), ("02:40", 2), ("02:10", 1), ("02:50", 2)].map { time, device in
      #"{"timestamp":"2025-10-26T\#(time):00","latitudeE7":1,"longitudeE7":2,"deviceTag":\#(device)}"#
    }
    let text = #"{"locations":[\#(rows.joined(separator: ","))]}"#
    let change: Int64 = 1_761_440_400
    let decoded = read(text, Self.options { $0 < change ? 7_200 : 3_600 })
    #expect(seconds(decoded) == [-1_800, -1_200, 600, -600].map { change + $0 })
    #expect(decoded.marks.count == 2)
  }
}
