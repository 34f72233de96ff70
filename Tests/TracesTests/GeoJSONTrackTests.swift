@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

private func read(
  _ text: String, _ options: ReadingOptions = ReadingOptions(), pieces: [Int] = []
) -> Decoded {
  decode(text, with: JSONTraceDecoder(GeoJSONContent(options)), pieces: pieces)
}

private func collection(_ features: String) -> String {
  #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"time":1}},"features":["#
    + "\n\(features)]}"
}

private func line(_ properties: String, _ geometry: String) -> String {
  #"{"type":"Feature","geometry":{\#(geometry)},"properties":{\#(properties)}}"#
}

private let noon = Timestamp(nanoseconds: 1_741_608_000_000_000_000)
private let times =
  #"["2025-03-10T12:00:00Z",1741608001,"2025-03-10T13:00:02+01:00","2025-03-10T12:00:03Z"]"#
private let four = "[13.1,52.1,34.5],[13.2,52.2],[13.3,52.3,null],[13.4,52.4,30,9]"

private let mixed = collection(
  line(
    #""name":"Ride","coordTimes":\#(times),"time":"2025-03-10T12:00:00Z","speed":3,"#
      + #""accuracy":[5,null,-1],"heartRates":[90,91,92,93]"#,
    #""coordinates":[\#(four)],"type":"LineString""#) + ",\n"
    + line(
      #""device_id":"phone","timestamp":"2025-03-10T12:00:04Z","horizontal_accuracy":30,"#
        + #""speed":-1,"course":-1,"altitude":-2,"motion":["driving"]"#,
      #""type":"Point","coordinates":[13.5,52.5]"#) + ",\n"
    + line(#""name":"Shop""#, #""type":"Point","coordinates":[1,2]"#) + ",\n"
    + line("", #""type":"LineString","coordinates":[[1,2],[3,4]]"#) + ",\n"
    + line("", #""type":"Polygon","coordinates":[[[1,2],[3,4],[5,6],[1,2]]]"#) + ",\n"
    + #"{"type":"Feature","geometry":null,"properties":null}"#)

private let moving =
  #"{"type":"Feature","temporalGeometry":{"type":"MovingPoint","datetimes":["#
  + #""2025-03-10T12:00:00Z"],"coordinates":[[13.3,52.5]]},"properties":{"id":"bus"}}"#
private let esri =
  #"{"attributes":{"time":1710057600000},"geometry":{"x":13.3,"y":52.5}}"#

@Suite("Tracks in GeoJSON")
struct GeoJSONTrackTests {
  @Test("a point that says when it was decided is an event; a line and another value are read")
  func events() {
    let point = #""type":"Point","coordinates":[1,2]"#
    let time = #""time":"2025-03-10T12:00:00Z","decided":"#
    let event = line(time + #""2025-03-10T12:00:09Z""#, point)
    let other = line(time + "false", point)
    let track = line(
      #""coordTimes":\#(times),"decided":"2025-03-10T12:00:09Z""#,
      #""type":"LineString","coordinates":[\#(four)]"#)
    let decoded = read(collection([event, other, track].joined(separator: ",\n")))
    #expect(decoded.points.map(\.line) == [3, 4, 4, 4, 4] && decoded.issues.isEmpty)
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 1)
  }

  @Test(
    "the times of a line may have several names, and come before or after it",
    arguments: [
      #""coordTimes":LIST"#, #""times":LIST"#, #""timestamps":LIST"#,
      #""coordinateProperties":{"times":LIST,"heart":[1,2,3,4]}"#,
      #""time":"2020-01-01T00:00:00Z","coordTimes":LIST"#,
      #""coordTimes":LIST,"time":"2020-01-01T00:00:00Z""#,
      #""timestamp":LIST,"time":"2020-01-01T00:00:00Z""#,
      #""utc_time":"2020-01-01T00:00:00Z","time":LIST"#,
      #""times":LIST,"timestamps":LIST"#, #""time":[null,{}],"timestamp":LIST"#,
    ])
  func names(properties: String) {
    let properties = properties.replacing("LIST", with: times)
    let geometry = #""type":"LineString","coordinates":[\#(four)]"#
    for text in [
      collection(line(properties, geometry)), line(properties, geometry),
      "[\(line(properties, geometry))]",
      #"{"properties":{\#(properties)},"type":"Feature","geometry":{\#(geometry)}}"#,
    ] {
      let decoded = read(text)
      #expect(decoded.issues.isEmpty && decoded.devices.isEmpty)
      #expect(
        decoded.points.map { $0.fix.time?.nanoseconds }
          == (0..<4).map { noon.nanoseconds + $0 * 1_000_000_000 })
      #expect(decoded.points.map(\.fix.coordinate.latitude) == [52.1, 52.2, 52.3, 52.4])
      #expect(decoded.points.map(\.fix.altitude) == [34.5, nil, nil, 30])
    }
  }

  @Test("lists are the values of a line's fixes, a single value is not")
  func lists() {
    let decoded = read(mixed)
    #expect(decoded.points.prefix(4).map(\.fix.horizontalAccuracy) == [5, nil, nil, nil])
    #expect(decoded.points.prefix(4).allSatisfy { $0.fix.speed == nil && $0.device == nil })
    #expect(decoded.points.map(\.line) == [2, 2, 2, 2, 3])
  }

  @Test("a point with a time is a fix")
  func point() {
    let decoded = read(mixed)
    let point = decoded.points[4]
    #expect(point.fix.time?.nanoseconds == noon.nanoseconds + 4_000_000_000)
    #expect(point.fix.horizontalAccuracy == 30 && point.fix.altitude == -2)
    #expect(point.fix.speed == nil && point.fix.course == nil)
    #expect(decoded.devices == ["phone"] && point.device == 0)
  }

  @Test("what has no time is planned or a waypoint, areas are other records")
  func planned() {
    let decoded = read(mixed)
    #expect(decoded.issues.isEmpty)
    #expect(
      decoded.marks == [
        "0: track(name: Optional(\"Ride\"))", "0: segment",
        "5: waypoint(Geodesy.Coordinate(latitude: 2.0, longitude: 1.0), name: Optional(\"Shop\"))",
        "5: routePoint(Geodesy.Coordinate(latitude: 2.0, longitude: 1.0))",
        "5: routePoint(Geodesy.Coordinate(latitude: 4.0, longitude: 3.0))", "5: otherRecord",
        "5: otherRecord",
      ])
  }

  @Test("each line of a MultiLineString is a segment", arguments: [times, "[\(times)]"])
  func multiLine(times: String) {
    let decoded = read(
      line(
        #""coordTimes":\#(times)"#,
        #""type":"MultiLineString","coordinates":[[[1,2]],[[3,4],[5,6]],[],[[7,8]]]"#))
    #expect(decoded.points.allSatisfy { $0.fix.time != nil } && decoded.issues.isEmpty)
    #expect(
      decoded.marks == ["0: track(name: nil)", "0: segment", "1: segment", "3: segment"])
  }

  @Test("GPSLogger writes numbers as texts")
  func gpsLogger() {
    let decoded = read(
      collection(
        line(
          #""time":"2025-03-10T12:00:00Z","provider":"gps","time_long":"1741608000000","#
            + #""accuracy":"9.5","altitude":"14.5","bearing":"91.5","speed":"2.5""#,
          #""type":"Point","coordinates":[12.1,14.0]"#)))
    #expect(decoded.issues.isEmpty)
    let fix = decoded.points.first?.fix
    #expect(fix?.time == noon && fix?.horizontalAccuracy == 9.5 && fix?.altitude == 14.5)
    #expect(fix?.course == 91.5 && fix?.speed == 2.5)
  }

  @Test("Overland's locations are features")
  func overland() {
    let feature = line(
      #""timestamp":"2025-03-10T05:00:00-0700","device_id":"""#,
      #""type":"Point","coordinates":[1,2]"#)
    let text = #"{"locations":[\#(feature)],"trip":{"distance":3}}"#
    #expect(TraceFormat.detect(Array(text.utf8)[...], isFinal: true) == .format(.geoJSON))
    let decoded = read(text)
    #expect(decoded.issues.isEmpty && decoded.points.first?.fix.time == noon)
    #expect(decoded.points.first?.device == nil)
  }

  @Test("a device is a text or a number; fixes of another one are reported and not used")
  func devices() {
    let point = #""type":"Point","coordinates":[1,2]"#
    let time = #""time":"2025-03-10T12:00:00Z""#
    func features(_ values: [String]) -> String {
      collection(values.map { line("\"device\":\($0),\(time)", point) }.joined(separator: ","))
    }
    let good = read(features(["7", "7.0", "\"7\"", "null", "\"\""]))
    #expect(good.devices == ["7"] && good.issues.isEmpty)
    #expect(good.points.map(\.device) == [0, 0, 0, nil, nil])
    let bad = ["true", "[7]", #"{"id":7}"#, "[]"]
    let decoded = read(features(bad + ["7"]))
    #expect(decoded.points.map(\.device) == [0] && decoded.issues.count == bad.count)
    let message = "the device is neither a text nor an integer; its fixes are left out"
    #expect(decoded.issues.allSatisfy { $0.message.contains(message) }, "\(decoded.issues)")
    // Another name of the device is enough, in either order, and what has no time is no fix.
    for names in [#""user":{"id":1},"device":"a""#, #""device":"a","user":{"id":1}"#] {
      let named = read(line("\(names),\(time)", point))
      #expect(named.devices == ["a"] && named.points.count == 1 && named.issues.isEmpty)
    }
    let waypoint = read(line(#""user":{"id":1}"#, point))
    #expect(waypoint.issues.isEmpty && waypoint.marks.count == 1)
    let track = read(
      line(
        #""coordTimes":\#(times),"device":{}"#, #""type":"LineString","coordinates":[\#(four)]"#))
    #expect(track.points.isEmpty && track.issues.count == 1)
  }

  @Test("times without a zone are read in the one that the user names")
  func zone() {
    var options = ReadingOptions()
    options.zone = LocalZone(name: "Test") { _ in 3600 }
    let text = line(
      #""time":"2025-03-10 13:00:00""#, #""type":"Point","coordinates":[1,2]"#)
    #expect(read(text, options).points.first?.fix.time == noon)
    #expect(read(text, options).marks.last?.contains("read as Test") == true)
    #expect(read(text).marks.last?.contains("read as UTC") == true)
    let universal = text.replacing("time", with: "utc_time").replacing("13:00", with: "12:00")
    #expect(read(universal, options).points.first?.fix.time == noon)
    let early = read(text.replacing("2025-03-10 13", with: "1678-01-01 00"), options)
    #expect(early.points.map(\.fix.time) == [nil])
    #expect(
      early.issues.map(\.message) == [
        "the time is not of the years 1678 to 2261 in its zone; it is left out"
      ])
  }

  @Test("what does not fit is reported once for a feature")
  func problems() {
    let geometry = #""type":"LineString","coordinates":[\#(four)]"#
    func issues(_ properties: String) -> [String] {
      read(line(properties, geometry)).issues.map(\.message)
    }
    #expect(
      issues(#""times":["2025-03-10T12:00:00Z"]"#) == ["the line has 1 times and 4 positions"])
    #expect(
      issues(#""times":\#(times),"speed":["fast",{},3]"#)
        == ["the speed is not a number of metres per second; it is left out"])
    #expect(
      read(line(#""time":"noon""#, #""type":"Point","coordinates":[1,2]"#)).issues.map(\.message)
        == [
          "the time is not RFC 3339 as 2025-03-10T14:02:07Z or seconds since 1970; it is left out"
        ])
  }

  @Test(
    "a bad position is reported where it is, and those after it keep their times",
    arguments: [
      (#"["x",2]"#, #"2:2 the value is "x", where a longitude was expected; it is left out"#),
      ("[null,2]", "2:2 the value is null, where a longitude was expected; it is left out"),
      ("[1,{}]", "2:6 the position has no longitude or no latitude; it is left out"),
      ("[1]", "2:3 the position has no longitude or no latitude; it is left out"),
      ("[]", "2:2 the position has no longitude or no latitude; it is left out"),
      ("{}", "2:2 the position has no longitude or no latitude; it is left out"),
      ("null", "2:1 the value is null, where a position was expected; it is left out"),
      ("7", "2:1 the value is \"7\", where a position was expected; it is left out"),
    ])
  func badPosition(position: String, message: String) {
    let decoder = JSONTraceDecoder(GeoJSONContent(ReadingOptions()))
    func read(_ coordinates: String) -> Decoded {
      let geometry = #""coordinates":\#(coordinates),"type":"LineString""#
      return decode(line(#""times":\#(times)"#, geometry), with: decoder)
    }
    let last = "[13.3,52.3],[13.4,52.4]"
    let decoded = read("[[13.1,52.1],\n\(position),\n\(last)]")
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [52.1, 52.3, 52.4])
    #expect(
      decoded.points.map { ($0.fix.time?.nanoseconds ?? 0) - noon.nanoseconds }
        == [0, 2_000_000_000, 3_000_000_000])
    #expect(decoded.points.map(\.line) == [1, 3, 3])
    #expect(decoded.issues.map(\.shown) == ["record \(message)"])
    #expect(decoded.marks.filter { $0.hasSuffix("segment") } == ["0: segment"])
    // The first one, before it is known how deep positions are.
    let first = read("[\(position),[13.2,52.2],\(last)]")
    #expect(first.points.map(\.fix.coordinate.latitude) == [52.2, 52.3, 52.4])
    #expect(
      first.points.map { ($0.fix.time?.nanoseconds ?? 0) - noon.nanoseconds }
        == [1_000_000_000, 2_000_000_000, 3_000_000_000])
    #expect(first.issues.count == 1)
  }

  @Test("a point whose position cannot be read is reported, one without a geometry is counted")
  func unreadablePoints() {
    func feature(_ coordinates: String) -> String {
      line(
        #""timestamp":"2025-03-10T12:00:00Z","device_id":"a""#,
        #""type":"Point","coordinates":\#(coordinates)"#)
    }
    let features = [
      feature("[1,2]"), feature(#"["x",2]"#), feature("[13.3]"), feature("[]"),
      feature("null"), feature("[1,{}]"),
      #"{"type":"Feature","geometry":null,"properties":{"time":"2025-03-10T12:00:00Z"}}"#,
    ]
    let decoded = read(#"{"locations":["# + features.joined(separator: ",\n") + "]}")
    #expect(decoded.points.map(\.line) == [1])
    #expect(
      decoded.issues.map { "\($0.line) \($0.message)" } == [
        #"2 the value is "x", where a longitude was expected; it is left out"#,
        "3 the position has no longitude or no latitude; it is left out",
        "4 the feature has a time and no position", "5 the feature has a time and no position",
        "6 1 of the coordinates are not longitude and latitude; left out",
      ])
    #expect(decoded.issues.prefix(2).map(\.column) == [61, 65])
    #expect(decoded.marks.filter { $0.hasSuffix("otherRecord") }.count == 1)
    // A feature that is the document.
    #expect(read(feature(#"["x",2]"#)).issues.count == 1)
    #expect(read(feature("[]")).issues.map(\.message) == ["the feature has a time and no position"])
  }

  @Test("a time is that of the one position of several that can be read")
  func onePosition() {
    let decoded = read(
      line(#""time":1741608000"#, #""type":"MultiPoint","coordinates":[[null,null],[1,2]]"#))
    #expect(decoded.points.map(\.fix.time) == [noon])
    #expect(decoded.points.first?.fix.coordinate == Coordinate(latitude: 2, longitude: 1))
    #expect(decoded.issues.count == 1)
    let two = read(
      line(
        #""coordTimes":[1741600000,1741608000]"#,
        #""type":"MultiPoint","coordinates":[[null,null],[1,2]]"#))
    #expect(two.points.map(\.fix.time) == [noon])
    let point = read(line(#""times":[1741608000,1]"#, #""type":"Point","coordinates":[1,2]"#))
    #expect(point.issues.count == 1 && point.points.map(\.fix.time) == [noon])
  }

  @Test("an altitude that is not a number is left out, and the position is read")
  func badAltitude() {
    let decoded = read(
      line(#""time":"2025-03-10T12:00:00Z""#, #""type":"Point","coordinates":[1,2,"high"]"#))
    #expect(decoded.points.map(\.fix.time) == [noon] && decoded.points[0].fix.altitude == nil)
    #expect(
      decoded.issues.map(\.message) == [
        #"the value is "high", where an altitude was expected; it is left out"#
      ])
  }

  @Test("areas alone are no track")
  func areas() {
    let area = line("", #""type":"Polygon","coordinates":[[[1,2],[3,4],[5,6],[1,2]]]"#)
    #expect(
      read(collection("\(area),\(area)")).issues.map(\.shown) == [
        "record 1:1 there is no track, only areas; a config reads them as fences"
      ])
  }

  @Test(
    "features without positions are no track, and the format that they may be of is named",
    arguments: [
      (moving, ", but a temporalGeometry, as in OGC Moving Features"),
      (collection("\(moving),\(moving)"), ", but a temporalGeometry, as in OGC Moving Features"),
      (#"{"displayFieldName":"","features":[\#(esri)]}"#, ", but attributes, as in Esri JSON"),
      (collection(#"{"type":"Feature","properties":{"time":1741608000,"lat":52.5}}"#), ""),
      (#"{"type":"Feature","geometry":null,"properties":{}}"#, ""),
      (#"[{"type":"Feature","geometry":null,"properties":{}}]"#, ""),
      (#"{"type":"LineString","coordinates":[]}"#, ""),
    ])
  func withoutPositions(text: String, found: String) {
    let decoded = read(text)
    #expect(decoded.points.isEmpty)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:1 there is no track: no feature has a geometry with positions\(found); convert "
          + "the file to GeoJSON with coordinates and times, or to CSV"
      ])
    let count = text.ranges(of: "temporalGeometry").count == 2 ? 2 : 1
    #expect(decoded.marks.count { $0.contains("otherRecord") } == count)
    #expect(TraceFormat.detect(Array(text.utf8)[...], isFinal: true) == .format(.geoJSON))
  }

  @Test("one position, an event or no feature at all is no such error")
  func somePosition() {
    let event =
      #"{"type":"Feature","geometry":null,"properties":{"decided":"2025-03-10T12:00:00Z"}}"#
    let place = line("", #""type":"Point","coordinates":[1,2]"#)
    for text in [
      collection("\(moving),\(place)"), "\(event)\n\(event)", collection(""),
      #"{"locations":[]}"#,
    ] {
      #expect(read(text).issues.isEmpty, "\(text)")
    }
    // A bad position is an error of its own.
    #expect(read(line("", #""type":"Point","coordinates":["x",2]"#)).issues.count == 1)
  }

  @Test("a line longer than is held is read to the limit, and reported")
  func longLine() {
    let count = GeoJSONFeature.limit + 2
    let decoded = read(
      line(
        #""times":[\#(Array(repeating: "1741608000", count: count).joined(separator: ","))]"#,
        #""type":"LineString","coordinates":["#
          + Array(repeating: "[1,2]", count: count).joined(separator: ",") + "]"))
    #expect(decoded.points.count == GeoJSONFeature.limit)
    #expect(
      decoded.issues.map(\.message) == [
        "the line has 131074 positions, of which the first 131072 are read; split it into several "
          + "Features"
      ])
  }

  @Test("cut at any byte, the same is read", arguments: [mixed, mixed.replacing("\n", with: " ")])
  func cuts(text: String) {
    let whole = read(text)
    for cut in 0...text.utf8.count { #expect(read(text, pieces: [cut]) == whole, "\(cut)") }
    #expect(read(text, pieces: Array(repeating: 1, count: text.utf8.count)) == whole)
    #expect(read("\u{FEFF}" + text) == whole)
  }
}
