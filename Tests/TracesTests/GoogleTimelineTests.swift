@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

private func read(
  _ text: String, _ options: ReadingOptions = ReadingOptions(), pieces: [Int] = []
) -> Decoded {
  decode(text, with: JSONTraceDecoder(GoogleTimelineContent(options)), pieces: pieces)
}

/// The fixes as minutes after 08:00 and latitudes.
private func shown(_ decoded: Decoded) -> [String] {
  decoded.points.map { point in
    let seconds = (point.fix.time?.nanoseconds ?? 0) / 1_000_000_000 - 1_741_593_600
    return "\(seconds / 60) \(point.fix.coordinate.latitude)"
  }
}

/// The stay that all of them report.
private let home =
  "0: \(TraceMark.reportedVisit(ReportedVisit(arrival: Timestamp(nanoseconds: 1_741_594_200_000_000_000), departure: Timestamp(nanoseconds: 1_741_595_400_000_000_000), coordinate: Coordinate(latitude: 52.4, longitude: 13.4))))"

/// An export of Android: the stay overlaps the path, and the phone still has raw signals from 10:00 on.
private let android = """
  {
    "semanticSegments": [
      {
        "startTime": "2025-03-10T09:00:00.000+01:00", "endTime": "2025-03-10T11:00:00.000+01:00",
        "timelinePath": [
          {"point": "52.5°, 13.5°", "time": "2025-03-10T09:40:00.000+01:00"},
          {"point": "52.6°, 13.6°", "time": "2025-03-10T10:55:00.000+01:00"}
        ]
      },
      {
        "startTime": "2025-03-10T09:10:00.000+01:00", "endTime": "2025-03-10T09:30:00.000+01:00",
        "startTimeTimezoneUtcOffsetMinutes": 60,
        "visit": {"hierarchyLevel": 0, "probability": 0.9, "topCandidate": {"placeId": "a",
          "semanticType": "HOME", "placeLocation": {"latLng": "52.4\\u00b0, 13.4\\u00b0"}}}
      },
      {
        "startTime": "2025-03-10T09:15:00.000+01:00", "endTime": "2025-03-10T09:25:00.000+01:00",
        "visit": {"hierarchyLevel": 1, "topCandidate": {"placeLocation": {"latLng": "1°, 1°"}}}
      },
      {
        "startTime": "2025-03-10T09:30:00.000+01:00", "endTime": "2025-03-10T11:05:00.000+01:00",
        "activity": {"start": {"latLng": "52.4°, 13.4°"}, "end": {"latLng": "52.7°, 13.7°"},
          "distanceMeters": 9000, "topCandidate": {"type": "WALKING", "probability": 0.5}}
      }
    ],
    "rawSignals": [
      {"wifiScan": {"deliveryTime": "2025-03-10T10:50:00.000+01:00"}},
      {"position": {"LatLng": "52.65°, 13.65°", "accuracyMeters": 13, "altitudeMeters": 40.5,
        "source": "GPS", "timestamp": "2025-03-10T10:54:00.000+01:00",
        "speedMetersPerSecond": 1.5}},
      {"position": {"LatLng": "52.66°, 13.66°", "timestamp": "2025-03-10T10:56:00.000+01:00"}}
    ],
    "userLocationProfile": {"frequentPlaces": [{"placeLocation": "1°, 1°"}]}
  }
  """

private let apple = """
  [
    {"endTime": "2025-03-10T09:30:00.000+01:00", "startTime": "2025-03-10T09:10:00.000+01:00",
     "visit": {"hierarchyLevel": "0", "topCandidate": {"probability": "0.9", "semanticType": "Home",
       "placeID": "a", "placeLocation": "geo:52.4,13.4"}, "probability": "0.9"}},
    {"activity": {"start": "geo:52.4,13.4", "end": "geo:52.7,13.7", "distanceMeters": "9000"},
     "endTime": "2025-03-10T11:05:00.000+01:00", "startTime": "2025-03-10T09:31:00.000+01:00"},
    {"timelinePath": [
      {"point": "geo:52.5,13.5", "durationMinutesOffsetFromStartTime": "40"},
      {"point": "geo:52.6,13.6", "durationMinutesOffsetFromStartTime": "115"}],
     "startTime": "2025-03-10T09:00:00.000+01:00", "endTime": "2025-03-10T11:00:00.000+01:00"},
    {"startTime": "2025-03-10T09:00:00.000+01:00", "timelineMemory": {"distanceFromOriginKms": 3}}
  ]
  """

private let takeout = """
  {"timelineObjects": [
    {"placeVisit": {
      "location": {"latitudeE7": 524000000, "longitudeE7": 134000000, "placeId": "a",
        "name": "Home", "sourceInfo": {"deviceTag": 1}},
      "duration": {"startTimestampMs": "1741594200000", "endTimestamp": "2025-03-10T08:30:00Z"},
      "otherCandidateLocations": [{"latitudeE7": 1, "longitudeE7": 1}]}},
    {"activitySegment": {
      "startLocation": {"latitudeE7": 524000000, "longitudeE7": 134000000},
      "endLocation": {"latitudeE7": 527000000, "longitudeE7": 137000000},
      "duration": {"startTimestamp": "2025-03-10T08:31:00Z", "endTimestamp": "2025-03-10T10:05:00Z"},
      "waypointPath": {"waypoints": [{"latE7": 525000000, "lngE7": 135000000}]},
      "simplifiedRawPath": {"points": [
        {"latE7": 525000000, "lngE7": 135000000, "accuracyMeters": 9,
         "timestamp": "2025-03-10T08:40:00Z"},
        {"latE7": 526000000, "lngE7": 136000000, "timestampMs": "1741600500000"}]}}}
  ]}
  """

@Suite("Google's timelines")
struct GoogleTimelineTests {
  @Test("they are known by their members", arguments: [android, apple, takeout])
  func detection(text: String) {
    #expect(TraceFormat.detect(Array(text.utf8)[...], isFinal: true) == .format(.googleTimeline))
    #expect(TraceFormat.detect(Array(text.utf8.prefix(250))[...]) == .format(.googleTimeline))
  }

  @Test("milliseconds before September 2001 have fewer digits")
  func earlyMilliseconds() {
    let decoded = read(
      """
      {"timelineObjects": [{"placeVisit": {
        "location": {"latitudeE7": 524000000, "longitudeE7": 134000000},
        "duration": {"startTimestampMs": "995863016213", "endTimestampMs": "995863017000"}}}]}
      """)
    #expect(decoded.issues.isEmpty)
    #expect(
      decoded.points.map(\.fix.time?.nanoseconds) == [
        995_863_016_213_000_000, 995_863_017_000_000_000,
      ])
  }

  @Test("places inside of a stay and parked cars are counted, and not read")
  func otherPlaces() {
    let place = #""location":{"latitudeE7":524000000,"longitudeE7":134000000}"#
    let decoded = read(
      #"{"timelineObjects":[{"placeVisit":{\#(place),"duration":{"startTimestamp":"#
        + #""2025-03-10T08:10:00Z","endTimestamp":"2025-03-10T08:12:00Z"},"childVisits":["#
        + #"{"location":{"latitudeE7":1,"longitudeE7":2},"duration":{"startTimestamp":"#
        + #""2025-03-10T08:11:00Z"},"childVisits":[{}]},{\#(place)}]}},{"activitySegment":{"#
        + #""parkingEvent":{"location":{"latitudeE7":3,"longitudeE7":4},"#
        + #""timestamp":"2025-03-10T08:13:00Z"}}}]}"#)
    #expect(shown(decoded) == ["10 52.4", "12 52.4"] && decoded.issues.isEmpty)
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 3)
  }

  @Test("times without a zone are read as UTC, with one note", arguments: ["", "Z", "+01:00"])
  func zones(zone: String) {
    let segment =
      #"{"startTime":"2025-03-10T09:00:00\#(zone)","endTime":"2025-03-10T10:00:00\#(zone)","#
      + #""visit":{"topCandidate":{"placeLocation":"geo:52.5,13.5"}}}"#
    let signal =
      #"{"position":{"LatLng":"52.5°, 13.4°","timestamp":"2025-03-10T09:00:00\#(zone)"}}"#
    let point = #"{"point":"geo:52.5,13.4","time":"2025-03-10T09:00:00\#(zone)"}"#
    for text in [
      "[\(segment),\(segment)]", #"{"rawSignals":[\#(signal),\#(signal)]}"#,
      #"{"semanticSegments":[{"timelinePath":[\#(point),\#(point)]}]}"#,
    ] {
      let decoded = read(text)
      let notes = decoded.marks.filter { $0.contains("times without a zone are read as UTC") }
      #expect(notes.count == (zone.isEmpty ? 1 : 0) && decoded.issues.isEmpty, "\(text)")
      #expect(!decoded.points.isEmpty)
    }
  }

  @Test("times without a zone are all read in the one that the user names")
  func namedZone() {
    var options = ReadingOptions()
    options.zone = LocalZone(name: "Test/Zone") { _ in 3_600 }
    let text = """
      {"semanticSegments":[
        {"startTime":"2025-03-10T09:10:00","endTime":"2025-03-10T09:30:00",
          "visit":{"topCandidate":{"placeLocation":"geo:52.4,13.4"}}},
        {"startTime":"2025-03-10T09:15:00","endTime":"2025-03-10T09:30:00",
          "timelinePath":[{"point":"geo:52.5,13.4","time":"2025-03-10T09:20:00"},
            {"point":"geo:52.6,13.4","durationMinutesOffsetFromStartTime":"10"}]}],
      "rawSignals":[{"position":{"LatLng":"52.7°, 13.4°","timestamp":"2025-03-10T09:40:00"}}]}
      """
    let decoded = read(text, options)
    #expect(decoded.issues.isEmpty && decoded.marks.first == home)
    #expect(shown(decoded) == ["10 52.4", "20 52.5", "25 52.6", "30 52.4", "40 52.7"])
    #expect(
      decoded.marks.last?.contains("times without a zone are read as Test/Zone") == true)
    #expect(
      read(text).marks.last?.contains("read as UTC; --csv-time-zone names another") == true)
  }

  @Test("paths, stays and trips are put in order; raw signals replace the others in their time")
  func replaced() {
    let decoded = read(android)
    #expect(decoded.issues.isEmpty)
    #expect(
      shown(decoded) == [
        "10 52.4", "15 52.4", "20 52.4", "25 52.4", "30 52.4", "40 52.5", "114 52.65", "116 52.66",
        "125 52.7",
      ])
    #expect(
      decoded.marks == [
        home, "0: otherRecord", "5: repeatedReport",
        "9: note(\"2 raw signals; 1 other point between those at most 30 min apart left out\")",
      ])
    let signal = decoded.points[6].fix
    #expect(signal.horizontalAccuracy == 13 && signal.altitude == 40.5 && signal.speed == 1.5)
    #expect(signal.coordinate == Coordinate(latitude: 52.65, longitude: 13.65))
    #expect(decoded.points.map(\.line) == [14, 14, 14, 14, 14, 6, 28, 31, 22])
  }

  @Test("what lies between raw signals more than half an hour apart stays")
  func signalGap() {
    let signal = "\"timestamp\": \"2025-03-10T10:54:00"
    let decoded = read(android.replacing(signal, with: "\"timestamp\": \"2025-03-10T09:54:00"))
    #expect(
      shown(decoded) == [
        "10 52.4", "15 52.4", "20 52.4", "25 52.4", "30 52.4", "40 52.5", "54 52.65", "115 52.6",
        "116 52.66", "125 52.7",
      ])
  }

  @Test("minutes of a path count from the beginning of its segment, which may follow it")
  func offsets() {
    let decoded = read(apple)
    #expect(decoded.issues.isEmpty && decoded.marks == [home])
    #expect(
      shown(decoded) == [
        "10 52.4", "15 52.4", "20 52.4", "25 52.4", "30 52.4", "31 52.4", "40 52.5", "115 52.6",
        "125 52.7",
      ])
  }

  @Test("of Takeout, waypoints without times are planned")
  func takeoutHistory() {
    let decoded = read(takeout)
    #expect(decoded.issues.isEmpty)
    #expect(
      shown(decoded) == [
        "10 52.4", "15 52.4", "20 52.4", "25 52.4", "30 52.4", "31 52.4", "40 52.5", "115 52.6",
        "125 52.7",
      ])
    #expect(decoded.points[6].fix.horizontalAccuracy == 9)
    #expect(
      decoded.marks == [
        home, "0: routePoint(Geodesy.Coordinate(latitude: 52.5, longitude: 13.5))",
      ])
  }

  @Test("a point that is not valid is reported at its place")
  func problems() {
    let decoded = read(
      """
      [{"startTime": "noon", "timelinePath": [{"point": "geo:1;2"}, {"point": "geo:1,2",
      "durationMinutesOffsetFromStartTime": "x"}]}]
      """)
    #expect(decoded.points.isEmpty)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:16 startTime is \"noon\", where RFC 3339 as 2025-03-10T14:02:07Z or seconds "
          + "since 1970 was expected; it is left out",
        "record 1:51 point is \"geo:1;2\", where latitude and longitude as 52.5163°, 13.3777° was "
          + "expected; it is left out",
        "record 2:39 durationMinutesOffsetFromStartTime is \"x\", where a number of minutes was "
          + "expected; it is left out",
        "record 2:44 the path has no startTime, so its 1 points have no time; left out",
      ])
  }

  @Test(
    "cut at any byte, on one line or behind a mark, the same is read",
    arguments: [android, apple, takeout])
  func cuts(text: String) {
    let whole = read(text)
    for cut in 0...text.utf8.count { #expect(read(text, pieces: [cut]) == whole, "\(cut)") }
    #expect(read(text, pieces: Array(repeating: 1, count: text.utf8.count)) == whole)
    #expect(read(text.replacing("\n", with: " ")).points.map(\.fix) == whole.points.map(\.fix))
    #expect(read("\u{FEFF}" + text.replacing("\n", with: "\r\n")).points == whole.points)
  }

  @Test("more fixes than are held are in order all the same, where segments overlap by less")
  func longHistory() {
    let count = TimelineWindow.limit * 2
    // Every other point comes a hundred points late.
    let minutes = (0..<count).map { $0 % 2 == 0 ? $0 : max($0 - 100, -1) }
    let points = minutes.map { "{\"point\":\"1°, 2°\",\"time\":\(1_600_000_000 + $0 * 60)}" }
    let decoded = read(
      "{\"semanticSegments\":[{\"timelinePath\":[\(points.joined(separator: ","))]}]}",
      pieces: Array(repeating: 60_000, count: 200))
    let times = decoded.points.compactMap(\.fix.time)
    #expect(
      times.count == Set(minutes).count && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("a longer path than is held is read to the limit, and reported")
  func longPath() {
    let count = GoogleTimelineSegment.limit + 1
    let points = (0..<count).map {
      "{\"point\":\"geo:1,2\",\"durationMinutesOffsetFromStartTime\":\($0)}"
    }
    let decoded = read(
      "[{\"timelinePath\":[\(points.joined(separator: ","))],\"startTime\":1600000000}]")
    #expect(decoded.points.count == GoogleTimelineSegment.limit)
    #expect(
      decoded.issues.map(\.message) == [
        "the path has 16385 points, of which the first 16384 are read"
      ])
  }

  @Test("the positions of Timeline Edits.json are raw signals")
  func edits() throws {
    let decoded = read(
      """
      {"timelineEdits": [
        {"deviceId": "-16", "placeAggregates": {"placeAggregateInfo": [
          {"score": 1.5, "point": {"latE7": 10000000, "lngE7": 20000000}}]}},
        {"deviceId": "-16", "rawSignal": {"signal": {"position": {
          "point": {"latE7": 524000000, "lngE7": -134000000}, "accuracyMm": 12500,
          "altitudeMeters": 34.5, "speedMetersPerSecond": 1.5, "source": "WIFI",
          "timestamp": "2025-03-10T08:10:00.000Z"}},
          "additionalTimestamp": "2025-03-10T08:09:00.000Z"}},
        {"rawSignal": {"signal": {"position": {"point": "52.5\u{b0}, 13.5\u{b0}",
          "timestamp": "2025-03-10T08:11:00Z"}}}},
        {"rawSignal": {"signal": {"wifiScan": {"deliveryTime": "2025-03-10T08:11:00Z"}}}}
      ]}
      """)
    #expect(decoded.issues.isEmpty && shown(decoded) == ["10 52.4", "11 52.5"])
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.horizontalAccuracy == 12.5 && fix.altitude == 34.5 && fix.speed == 1.5)
    #expect(fix.coordinate.longitude == -13.4)
    let head = Array("{\"timelineEdits\": [{\"deviceId\": \"1\"}]}".utf8)
    #expect(TraceFormat.detect(head[...], isFinal: true) == .format(.googleTimeline))
  }

  @Test("a point that is neither a text nor an object with two numbers is reported")
  func wrongPoint() {
    let decoded = read(
      """
      {"timelineEdits": [{"rawSignal": {"signal": {"position": {"point": "here",
        "timestamp": "2025-03-10T08:10:00Z"}}}}]}
      """)
    #expect(decoded.points.isEmpty && decoded.issues.map(\.line) == [1])
  }
}
