@testable import Formats
import Geodesy
import TestSupport
import Testing
import Traces
import Tracking

@Suite struct NDJSONDecoderTests {
  @Test("all keys are read, in any order")
  func all() throws {
    let text =
      #"{"mode":"dgps","satellites":9,"pdop":2.5,"vdop":2,"hdop":1.5,"courseAccuracy":4,"#
      + #""speedAccuracy":0.3,"verticalAccuracy":8,"altitude":-34.25,"ellipsoidalAltitude":10.5,"course":270,"speed":1.5,"#
      + #""accuracy":5,"longitude":13.3777,"latitude":52.5163,"time":"2025-03-10T14:02:07.300Z","#
      + #""device":"van","type":"fix"}"# + "\n"
    let decoded = decode(text, with: NDJSONDecoder())
    let point = try #require(decoded.points.first)
    let fix = point.fix
    #expect(decoded.marks.isEmpty && decoded.devices == ["van"])
    #expect(point.device == 0 && point.line == 1)
    #expect(fix.time?.nanoseconds == 1_741_615_327_300_000_000)
    #expect(fix.coordinate == Coordinate(latitude: 52.5163, longitude: 13.3777))
    #expect(fix.horizontalAccuracy == 5 && fix.speed == 1.5 && fix.course == 270)
    #expect(fix.altitude == -34.25 && fix.ellipsoidalAltitude == 10.5 && fix.verticalAccuracy == 8)
    #expect(fix.speedAccuracy == 0.3 && fix.courseAccuracy == 4)
    #expect(fix.hdop == 1.5 && fix.vdop == 2 && fix.pdop == 2.5)
    #expect(fix.satellites == 9 && fix.mode == .differential)
  }

  @Test(
    "lines that are fixes",
    arguments: [
      #"{"type":"fix","latitude":1,"longitude":2}"#, #"{"latitude":1,"longitude":2}"#,
      #" { "longitude" : 2 , "latitude" : 1.0e0 } "#,
      #"{"l\u0061titude":1,"longitude":2,"type":"f\u0069x"}"#,
      #"{"latitude":1,"longitude":2,"x":{"y":[1,{"latitude":9}]},"z":"latitude"}"#,
      #"{"latitude":1,"longitude":2,"type":null,"device":null,"time":null,"accuracy":null,"mode":null}"#,
      #"{"latitude":9,"latitude":1,"longitude":2,"device":""}"#,
      #"{"latitude":1,"longitude":2}"# + "\r",
    ])
  func fixes(line: String) throws {
    for text in ["\u{FEFF}" + line, line + "\n", "\n \r\n" + line + "\n\n"] {
      let decoded = decode(text, with: NDJSONDecoder())
      #expect(decoded.points.first?.fix.coordinate == Coordinate(latitude: 1, longitude: 2))
      #expect(decoded.points.first?.fix.time == nil && decoded.points.first?.device == nil)
      #expect(decoded.points.count == 1 && decoded.marks.isEmpty)
    }
  }

  @Test("an accuracy, a speed, a course and such below 0 are unknown", arguments: [true, false])
  func negative(usesShapes: Bool) {
    var decoder = NDJSONDecoder()
    decoder.usesShapes = usesShapes
    let line =
      #"{"latitude":-1,"longitude":-2,"accuracy":-1,"speed":-1.5,"course":-1,"altitude":-3,"#
      + #""verticalAccuracy":-1,"speedAccuracy":-1,"courseAccuracy":-1,"hdop":-1,"vdop":-1,"#
      + #""pdop":-1,"satellites":-1}"# + "\n"
    let known = line.replacing("-1,", with: "0,").replacing("-1}", with: "0}")
    let decoded = decode(line + known + line, with: decoder)
    #expect(decoded.issues.isEmpty && decoded.points.count == 3)
    var unknown = NDJSONRecord.blank
    unknown.coordinate = Coordinate(latitude: -1, longitude: -2)
    unknown.altitude = -3
    #expect(decoded.points.first?.fix == unknown && decoded.points.last?.fix == unknown)
    #expect(decoded.points[1].fix.horizontalAccuracy == 0 && decoded.points[1].fix.course == 0)
    #expect(decoded.points[1].fix.satellites == 0 && decoded.points[1].fix.speed == nil)
  }

  @Test(
    "events of other types are marked and not judged",
    arguments: [
      #"{"type":"enter","latitude":1,"longitude":2}"#, #"{"latitude":"?","type":"visit"}"#,
      #"{"type":""}"#, #"{"type":"problem","message":"x"}"#,
    ])
  func others(line: String) {
    let decoded = decode(line + "\n", with: NDJSONDecoder())
    #expect(decoded.points.isEmpty && decoded.marks == ["0: otherRecord"])
  }

  @Test(
    "a bad line is reported at its position, and reading continues",
    arguments: [
      ("[1]", "record 1:1 found an array, expected a JSON object", 0),
      ("7", "record 1:1 found a number, expected a JSON object", 0),
      ("{}", "record 1:1 found neither a type nor latitude and longitude, expected a fix", 0),
      (
        #"{"type":"fix","longitude":2}"#,
        "record 1:1 there is no latitude, expected decimal degrees", 0
      ),
      (#"{"latitude":2}"#, "record 1:1 there is no longitude, expected decimal degrees", 0),
      (
        #"{"latitude":"1","longitude":2}"#,
        "record 1:13 latitude is the text \"1\", expected a number of decimal degrees", 0
      ),
      (
        #"{"latitude":1e999,"longitude":2}"#,
        "record 1:13 latitude is \"1e999\", expected a number of decimal degrees", 0
      ),
      (
        #"{"latitude":1,"longitude":2,"speed":[3,4]}"#,
        "record 1:37 speed is an array, expected a number of metres per second", 1
      ),
      (
        #"{"latitude":1,"longitude":2,"time":"noon"}"#,
        "record 1:36 time is \"noon\", expected RFC 3339 as 2025-03-10T14:02:07Z or seconds since 1970",
        1
      ),
      (
        #"{"latitude":1,"longitude":2,"device":5.5}"#,
        "record 1:38 device is \"5.5\", expected the device's name as text, or an integer", 0
      ),
      (
        #"{"latitude":1,"longitude":2,"type":true}"#,
        "record 1:36 type is true, expected the event's type as text", 1
      ),
      (
        #"{"latitude":1,"longitude":2,"mode":"4d"}"#,
        "record 1:36 mode is \"4d\", expected one of unknown, none, 2d, 3d, dgps, pps", 1
      ),
      (
        #"{"latitude":1,"longitude":2,"satellites":1.5}"#,
        "record 1:42 satellites is \"1.5\", expected a count", 1
      ),
      (
        #"{"latitude":1,"longitude":2}}"#, "record 1:29 found \"}\", expected the end of the text",
        0
      ),
      (#"{"latitude":1,"longitude":"#, "record 1:27 the text ends, expected a value", 0),
      (
        #"{"latitude":1 "longitude":2}"#,
        "record 1:15 found \"\"\", expected ',' or '}' after a member of an object", 0
      ),
      (#"{"latitude":01}"#, "record 1:13 found a number that begins with 0, remove the 0", 0),
    ] as [(String, String, Int)])
  func badLines(line: String, expected: String, points: Int) {
    let next = "\n{\"latitude\":5,\"longitude\":6}\n"
    let decoded = decode(line + next, with: NDJSONDecoder())
    #expect(decoded.issues.map(\.shown) == [expected])
    #expect(decoded.points.count == points + 1)
    #expect(decoded.points.last?.line == 2)
  }

  @Test("a fix whose device is neither a text nor an integer is reported and not used")
  func unreadableDevice() {
    for value in ["1.5", "1e3", "true", "[1]", #"{"id":1}"#] {
      let line = #"{"device":\#(value),"time":1,"latitude":1,"longitude":2}"# + "\n"
      let state = #"{"type":"device-state","device":\#(value),"state":""}"# + "\n"
      let decoded = decode(line + state + line, with: NDJSONDecoder())
      #expect(decoded.points.isEmpty && decoded.devices.isEmpty, "\(value)")
      #expect(decoded.issues.map(\.line) == [1, 2, 3] && decoded.marks.count == 3, "\(value)")
    }
  }

  @Test("a device that is an integer has the same name with decimals of 0 as without")
  func integerDevice() {
    let values = ["1", "1.0", "1.00", "-7.0", "-7", "10.0", "null", "\"1\"", "\"1.0\""]
    let lines = values.map { #"{"device":\#($0),"latitude":1,"longitude":2}"# + "\n" }
    var plain = NDJSONDecoder()
    plain.usesShapes = false
    for decoder in [NDJSONDecoder(), plain] {
      let decoded = decode(lines.joined(), with: decoder)
      #expect(decoded.devices == ["1", "-7", "10", "1.0"] && decoded.issues.isEmpty)
      #expect(decoded.points.map(\.device) == [0, 0, 0, 1, 1, 2, nil, 0, 3])
    }
  }

  @Test("a line without a position does not say where a clock goes back")
  func clockOfOthers() {
    var options = ReadingOptions()
    // At 2023-10-29T01:00:00Z it goes back from 03:00 to 02:00.
    options.zone = LocalZone(name: "Test/Zone") { $0 < 1_698_541_200 ? 7_200 : 3_600 }
    let text = [("02:40", "1"), ("02:10", "\"x\""), ("02:45", "1")].map {
      #"{"time":"2023-10-29T\#($0.0):00","latitude":\#($0.1),"longitude":2}"# + "\n"
    }
    let decoded = decode(Array(text.joined().utf8), with: NDJSONDecoder(options))
    #expect(
      decoded.points.map { ($0.fix.time?.nanoseconds ?? 0) / 60_000_000_000 - 28_309_020 } == [
        -20, -15,
      ])
    let padded = #"{"time":"\t2023-10-29T04:00:00","latitude":1,"longitude":2}"# + "\n"
    let one = decode(Array(padded.utf8), with: NDJSONDecoder(options))
    #expect(one.points.first?.fix.time?.nanoseconds == 1_698_548_400_000_000_000)
  }

  @Test("times without a zone are read in the one that the user names, with a note")
  func zone() {
    var options = ReadingOptions()
    options.zone = LocalZone(name: "Test/Zone") { _ in 3_600 }
    let lines = ["2025-03-10T14:02:07", "2025-03-10T14:02:07Z", "2025-03-10 14:02:07"]
      .map { #"{"latitude":1,"longitude":2,"time":"\#($0)"}"# + "\n" }.joined()
    let noon = 1_741_615_327
    for (options, hour, zone) in [
      (options, 3_600, "Test/Zone"), (ReadingOptions(), 0, "UTC; --csv-time-zone names another"),
    ] {
      let decoded = decode(lines, with: NDJSONDecoder(options))
      #expect(
        decoded.points.map { ($0.fix.time?.nanoseconds ?? 0) / 1_000_000_000 }
          == [noon - hour, noon, noon - hour].map { Int64($0) })
      #expect(
        decoded.marks == ["0: note(\"times without a zone are read as \(zone)\")"])
    }
  }

  @Test("an integer may name the device")
  func numberedDevices() {
    let devices = ["7", "8", #""7""#, "-1", "7", "8", "1234567890123456789012", "0"]
    let lines = devices.map { #"{"device":\#($0),"latitude":1,"longitude":2}"# + "\n" }.joined()
    let decoded = decode(lines, with: NDJSONDecoder())
    #expect(decoded.issues.isEmpty)
    #expect(decoded.devices == ["7", "8", "-1", "1234567890123456789012", "0"])
    #expect(decoded.points.map(\.device) == [0, 1, 0, 2, 0, 1, 3, 4])
    var plain = NDJSONDecoder()
    plain.usesShapes = false
    #expect(decode(lines, with: plain) == decoded)
  }

  @Test("an incomplete last line is distinguished from a bad one")
  func truncated() {
    let good = #"{"latitude":1,"longitude":2}"#
    for end in 1..<good.utf8.count {
      let decoded = decode(good + "\n" + good.prefix(end), with: NDJSONDecoder())
      #expect(decoded.points.count == 1)
      #expect(decoded.issues.map(\.kind) == [.truncated] && decoded.issues[0].line == 2)
    }
    #expect(decode(good + "\n{x", with: NDJSONDecoder()).issues.map(\.kind) == [.record])
  }

  @Test("a line over 64 KiB is skipped in pieces of any size")
  func longLines() {
    let good = "{\"latitude\":1,\"longitude\":2}\n"
    let long = "{\"x\":\"" + String(repeating: "y", count: 200_000) + "\"}\n"
    for pieces in [[], [10, 65_530], Array(repeating: 30_000, count: 7)] {
      let decoded = decode(good + long + good, with: NDJSONDecoder(), pieces: pieces)
      #expect(decoded.points.map(\.line) == [1, 3])
      #expect(decoded.issues.map(\.line) == [2])
    }
  }

  @Test("times may be Unix times, as text or number")
  func unixTimes() {
    for time in [
      "1741615327.3", "1741615327300", "\"1741615327.3\"", "\"2025-03-10T14:02:07\\u002e3Z\"",
    ] {
      let line = "{\"latitude\":1,\"longitude\":2,\"time\":\(time)}"
      let decoded = decode(line, with: NDJSONDecoder())
      #expect(decoded.points.first?.fix.time?.nanoseconds == 1_741_615_327_300_000_000)
    }
  }

  private static let log =
    "\u{FEFF}{\"type\":\"fix\",\"device\":\"a\\u0062\",\"latitude\":1,\"longitude\":2}\r\n\n"
    + "{\"type\":\"enter\"}\n{\"latitude\":1,\"longitude\":2,\"speed\":\"é\"}\n{bad}\n"
    + "{\"latitude\":3,\"longitude\":4,\"device\":\"🚚\"}\n{\"latitude\":5,\"longitu"

  @Test("cut at any byte, the same is read")
  func everyCut() {
    let bytes = Array(Self.log.utf8)
    let whole = decode(bytes, with: NDJSONDecoder())
    #expect(whole.points.count == 3 && whole.marks.count == 4 && whole.devices == ["ab", "🚚"])
    for cut in 0...bytes.count {
      #expect(decode(bytes, with: NDJSONDecoder(), pieces: [cut]) == whole, "cut at \(cut)")
    }
    let ones = Array(repeating: 1, count: bytes.count)
    #expect(decode(bytes, with: NDJSONDecoder(), pieces: ones) == whole)
  }

  @Test("a log cut at any byte loses only what follows")
  func everyEnd() {
    let bytes = Array(Self.log.utf8)
    let whole = decode(bytes, with: NDJSONDecoder())
    for end in 0..<bytes.count {
      let part = decode(Array(bytes[..<end]), with: NDJSONDecoder())
      let lines = bytes[..<end].count { $0 == UInt8(ascii: "\n") }
      let sure = whole.points.filter { $0.line <= lines }.map { "\($0)" }
      #expect(part.points.map { "\($0)" }.starts(with: sure), "ends at \(end)")
    }
  }

  @Test("random bytes are read without a trap, alike in any pieces")
  func fuzz() {
    var generator = SeededGenerator(seed: 13)
    let words = [
      "{", "}", "\"latitude\"", "\"longitude\"", ":", ",", "1", "-9e9", "\"type\"", "\"fix\"", "\n",
      "[", "]", "null", "\"time\"", "\"", "\\u00e9", "\u{1F69A}", " ",
    ]
    for round in 0..<1_000 {
      let count = Int.random(in: 0...30, using: &generator)
      let text = (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }
      let bytes = Array(text.joined().utf8)
      let pieces = (0..<8).map { _ in Int.random(in: 0...12, using: &generator) }
      let whole = decode(bytes, with: NDJSONDecoder())
      #expect(decode(bytes, with: NDJSONDecoder(), pieces: pieces) == whole, "round \(round)")
    }
  }
}
