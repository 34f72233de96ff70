import Foundation
@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

private func kml(_ content: String) -> String {
  """
  <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
  <Document><name>All</name><Folder><name>Inner</name><Folder>\(content)</Folder></Folder></Document></kml>
  """
}

private func read(_ text: String, pieces: [Int] = []) -> Decoded {
  decode(text, with: XMLTraceDecoder<KMLContent>(), pieces: pieces)
}

private let track = kml(
  """
  <Placemark><name>Ride</name><gx:Track><altitudeMode>absolute</altitudeMode>
  <when>2025-03-10T14:02:07Z</when><when>2025-03-10T14:02:08Z</when><when>2025-03-10T14:02:09Z</when>
  <gx:coord>13.3777 52.5163 34.5</gx:coord><gx:coord/><gx:coord>13.3778 52.5164</gx:coord>
  <ExtendedData><SchemaData schemaUrl="#fix">
  <gx:SimpleArrayData name="accuracy"><gx:value>5</gx:value><gx:value/><gx:value>6.5</gx:value></gx:SimpleArrayData>
  <gx:SimpleArrayData name="speed_kmh"><gx:value>36</gx:value><gx:value>7</gx:value><gx:value>-1</gx:value></gx:SimpleArrayData>
  <gx:SimpleArrayData name="heartrate"><gx:value>99</gx:value></gx:SimpleArrayData>
  </SchemaData></ExtendedData></gx:Track></Placemark>
  """)

private let places = kml(
  """
  <Placemark><name>Home</name><Point><coordinates>13.1,52.1,0</coordinates></Point>
  <TimeSpan><begin>2025-03-10T14:00:00Z</begin><end>2025-03-10T15:00:00Z</end></TimeSpan></Placemark>
  <Placemark><name>Driving</name><LineString><coordinates>
  13.1,52.1,0 13.2,52.2,0
  13.3,52.3 x,1 13.4,52.4,0 </coordinates></LineString>
  <TimeSpan><begin>2025-03-10T15:00:00Z</begin><end>2025-03-10T16:00:00Z</end></TimeSpan></Placemark>
  <Placemark><TimeStamp><when>2025-03-10T17:00:00Z</when></TimeStamp><Point><coordinates>1,2</coordinates></Point></Placemark>
  <Placemark><name>Shop</name><Point><coordinates>3,4</coordinates></Point></Placemark>
  <Placemark><LineString><coordinates>5,6 7,8</coordinates></LineString></Placemark>
  <Placemark><Polygon><outerBoundaryIs><coordinates>9,9</coordinates></outerBoundaryIs></Polygon></Placemark>
  """)

@Suite("KML")
struct KMLTests {
  @Test("a gx:Track has times, positions and values in lists")
  func trackLists() throws {
    let decoded = read(track)
    #expect(decoded.issues.isEmpty && decoded.points.map(\.line) == [4, 4])
    let (first, last) = (decoded.points[0].fix, decoded.points[1].fix)
    #expect(first.time == Timestamp(nanoseconds: 1_741_615_327_000_000_000))
    #expect(first.coordinate == Coordinate(latitude: 52.5163, longitude: 13.3777))
    #expect(first.altitude == 34.5 && first.horizontalAccuracy == 5)
    #expect(isNear(first.speed, 10, within: 1e-12))
    #expect(last.time == Timestamp(nanoseconds: 1_741_615_329_000_000_000))
    #expect(last.altitude == nil && last.horizontalAccuracy == 6.5 && last.speed == nil)
    #expect(
      decoded.marks == [
        "0: track(name: Optional(\"Ride\"))", "0: segment", "0: otherRecord",
        "2: note(\"values that are not read: heartrate\")",
      ])
  }

  @Test("lists of different lengths are reported")
  func lengths() {
    let decoded = read(
      kml(
        "<Placemark><gx:Track><when>2025-03-10T14:02:07Z</when><gx:coord>1 2</gx:coord>"
          + "<gx:coord>3 4</gx:coord><gx:coord>a b</gx:coord></gx:Track></Placemark>"))
    #expect(decoded.points.count == 2 && decoded.points[1].fix.time == nil)
    #expect(
      decoded.issues.map(\.message) == [
        "<coord> is 'a b', where longitude, latitude and altitude was expected; it is left out",
        "the track has 1 times and 3 positions",
      ])
  }

  @Test("a point that says when it was decided is an event; one with another value is read")
  func events() {
    func place(_ decided: String) -> String {
      "<Placemark><TimeStamp><when>2025-03-10T14:02:07Z</when></TimeStamp><ExtendedData>"
        + "<Data name='decided'><value>\(decided)</value></Data></ExtendedData>"
        + "<Point><coordinates>13,52</coordinates></Point></Placemark>\n"
    }
    let decoded = read(kml("\n" + place("2025-03-10T14:02:09Z") + place("no")))
    #expect(decoded.points.map(\.line) == [4])
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 1)
  }

  @Test("geometries with a time are fixes at its ends, others are planned")
  func geometries() {
    let decoded = read(places)
    let hours = decoded.points.map { ($0.fix.time?.nanoseconds ?? 0) / 3_600_000_000_000 % 24 }
    #expect(hours == [14, 15, 15, 16, 17])
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [52.1, 52.1, 52.1, 52.4, 2])
    #expect(decoded.points.map(\.line) == [2, 2, 4, 4, 8])
    let planned = decoded.marks.filter { $0.contains("routePoint") }
    #expect(planned.count == 4)
    #expect(decoded.marks.count { $0.contains("waypoint") && $0.contains("Shop") } == 1)
    #expect(
      decoded.issues.map(\.message) == [
        "1 of the <coordinates> are not longitude,latitude,altitude; left out"
      ])
  }

  @Test("cut at any byte, the same is read", arguments: [track, places])
  func cuts(text: String) {
    let whole = read(text)
    for cut in 0...text.utf8.count { #expect(read(text, pieces: [cut]) == whole, "\(cut)") }
    #expect(read(text, pieces: Array(repeating: 1, count: text.utf8.count)) == whole)
  }

  @Test("times may lack seconds; a day, a month or a year is no time of a fix, which one line says")
  func coarseTimes() {
    let place = { (when: String) in
      "<Placemark><TimeStamp><when>\(when)</when></TimeStamp><Point><coordinates>1,2</coordinates>"
        + "</Point></Placemark>"
    }
    let line = """
      <Placemark><LineString><coordinates>1,2 3,4</coordinates></LineString>
      <TimeSpan><begin>2025-03</begin><end>2025-04</end></TimeSpan></Placemark>
      """
    let text = kml(
      place("2025-03-10T14:02Z") + place("2025-03-10T15:02+01:00") + place("2025-03-10")
        + place("2025-03") + place("2025") + line + place("2025-13") + place("tomorrow"))
    let decoded = read(text)
    #expect(
      decoded.points.map(\.fix.time?.nanoseconds)
        == [1_741_615_320_000_000_000, 1_741_615_320_000_000_000])
    #expect(decoded.marks.count { $0.contains("waypoint") } == 5)
    #expect(decoded.marks.count { $0.contains("routePoint") } == 2)
    #expect(
      decoded.marks.last
        == "2: note(\"5 times are only a day, a month or a year; positions need a time of day, so "
        + "not used\")")
    #expect(decoded.issues.count == 2)
    #expect(decoded.issues.allSatisfy { $0.message.contains("2024-02-29T12:00:00Z") })
    #expect(read(kml(place("2025"))).marks.last?.contains("1 time is only a day") == true)
  }

  @Test("a list of positions of any length is read in pieces")
  func longList() {
    let list = (0..<60_000).map { "13.\($0),52.1,0" }.joined(separator: "\n")
    let text = kml(
      "<Placemark><LineString><coordinates>\(list)</coordinates></LineString></Placemark>")
    let decoded = read(text, pieces: Array(repeating: 50_000, count: 25))
    #expect(decoded.issues.isEmpty && decoded.marks.count == 60_000)
    let word = kml(
      "<Placemark><LineString><coordinates>\(String(repeating: "1", count: 200_000))"
        + "</coordinates></LineString></Placemark>")
    let refused = read(word, pieces: Array(repeating: 50_000, count: 5))
    #expect(refused.issues.map(\.kind) == [.malformed])
  }

  @Test(
    "a list that breaks off is read up to there, wherever the document is cut",
    arguments: ["\0", "</a>", "", "<n>", "<n></a>"])
  func brokenList(end: String) {
    let text = "<kml><Document><Placemark><LineString><coordinates>1,1 2,2 3,3 4,4 " + end
    let whole = read(text)
    #expect(whole.marks.count { $0.contains("routePoint") } == 2 && whole.issues.count == 1)
    for cut in 0...text.utf8.count { #expect(read(text, pieces: [cut]) == whole, "\(cut)") }
  }

  @Test("a longer gx:Track than is held has its fixes, those beyond without values")
  func longTrack() throws {
    let count = (1 << 17) + 1
    let fix = "<when>2025-03-10T14:02:07Z</when><gx:coord>1 2</gx:coord>"
    let decoded = read(
      kml(
        "<Placemark><gx:Track>" + String(repeating: fix, count: count)
          + "<ExtendedData><SchemaData><gx:SimpleArrayData name=\"accuracy\">"
          + String(repeating: "<gx:value>5</gx:value>", count: count)
          + "</gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track></Placemark>"))
    #expect(decoded.points.count == count && decoded.issues.isEmpty)
    #expect(decoded.points.allSatisfy { $0.fix.time != nil })
    #expect(decoded.points[0].fix.horizontalAccuracy == nil)
    #expect(decoded.marks.contains { $0.contains("values that are not read: accuracy") })
  }

  @Test("a document of areas alone says that there is no track")
  func areas() {
    let decoded = read(
      kml(
        """
        <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>1,2 3,4 5,6 1,2</coordinates>
        </LinearRing></outerBoundaryIs></Polygon></Placemark>
        """))
    #expect(decoded.points.isEmpty)
    #expect(
      decoded.issues.map(\.message) == ["there is neither a track nor a line or a point"])
  }

  @Test(
    "a document whose geometries are all empty says so",
    arguments: [
      "<Point/>", "<Point><coordinates/></Point>",
      "<LineString><coordinates> \n </coordinates></LineString>", "<gx:Track/>",
      "<gx:Track><when>2025-03-10T14:02:07Z</when><gx:coord/></gx:Track>",
    ])
  func emptyGeometries(geometry: String) {
    let decoded = read(kml("<Placemark><name>A</name>\(geometry)</Placemark>"))
    #expect(decoded.points.isEmpty)
    #expect(decoded.issues.last?.message == "no track, line or point has a position")
  }

  @Test("a height may be below 0, an accuracy below 0 is unknown")
  func negativeValues() throws {
    let decoded = read(
      kml(
        """
        <Placemark><gx:Track><when>2025-03-10T14:02:07Z</when><gx:coord>1 2 3</gx:coord>
        <ExtendedData><SchemaData>
        <gx:SimpleArrayData name="hae"><gx:value>-12.5</gx:value></gx:SimpleArrayData>
        <gx:SimpleArrayData name="accuracy"><gx:value>-1</gx:value></gx:SimpleArrayData>
        </SchemaData></ExtendedData></gx:Track></Placemark>
        """))
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.ellipsoidalAltitude == -12.5 && fix.horizontalAccuracy == nil)
    #expect(decoded.issues.isEmpty)
  }

  @Test("any white space separates the numbers of a gx:coord")
  func blanks() {
    let decoded = read(
      kml(
        """
        <Placemark><gx:Track>
        <when>2025-03-10T14:02:07Z</when><gx:coord> 13.3777  52.5163 34.5 </gx:coord>
        <when>2025-03-10T14:02:08Z</when><gx:coord>
        13.3778\t52.5164</gx:coord>
        <when>2025-03-10T14:02:09Z</when><gx:coord> </gx:coord>
        <when>2025-03-10T14:02:10Z</when><gx:coord>1 2 3 4</gx:coord></gx:Track></Placemark>
        """))
    #expect(decoded.points.map(\.fix.coordinate.longitude) == [13.3777, 13.3778])
    #expect(decoded.points.first?.fix.altitude == 34.5)
    #expect(decoded.issues.map(\.line) == [6, 7])
  }

  @Test("a satellite messenger's points have their values, with units, in ExtendedData")
  func messenger() throws {
    let decoded = read(
      kml(
        """
        <Placemark><TimeStamp><when>2025-03-10T14:02:07Z</when></TimeStamp><ExtendedData>
        <Data name="IMEI"><value>1</value></Data>
        <Data name="Time UTC"><value>3/10/2025 2:02:07 PM</value></Data>
        <Data name="Latitude"><value>1</value></Data>
        <Data name="Elevation"><value>34.50 m from MSL</value></Data>
        <Data name="Velocity"><value>36.0 km/h</value></Data>
        <Data name="Course"><value>270.00 \u{b0} True</value></Data>
        <Data name="Device Type"><value>x</value></Data>
        </ExtendedData><Point><altitudeMode>absolute</altitudeMode>
        <coordinates>13.3777,52.5163</coordinates></Point></Placemark>
        """))
    let fix = try #require(decoded.points.first?.fix)
    #expect(decoded.issues.isEmpty && fix.speed == 10 && fix.course == 270)
    #expect(fix.altitude == 34.5)
    #expect(fix.coordinate == Coordinate(latitude: 52.5163, longitude: 13.3777))
    #expect(fix.time == Timestamp(nanoseconds: 1_741_615_327_000_000_000))
    #expect(decoded.marks == ["1: note(\"values that are not read: Device Type\")"])
  }

  @Test("a satellite messenger's point without a fix is counted, wherever its values stand")
  func messengerWithoutFix() {
    let point = "<Point><coordinates>13.3777,52.5163</coordinates></Point>"
    let place = { (valid: String, isBefore: Bool) -> String in
      let data =
        "<ExtendedData><Data name=\"Valid GPS Fix\"><value>\(valid)</value></Data></ExtendedData>"
      return "<Placemark><TimeStamp><when>2025-03-10T14:02:07Z</when></TimeStamp>"
        + (isBefore ? data + point : point + data) + "</Placemark>"
    }
    let decoded = read(
      kml(
        place("True", true) + place("False", true) + place(" false ", false) + place("True", false)
          + place("", true)))
    #expect(decoded.points.count == 3 && decoded.issues.isEmpty)
    #expect(decoded.marks == ["1: otherRecord", "1: otherRecord"])
  }

  @Test("ogr2ogr's points have their time among the values")
  func ogr() throws {
    let decoded = read(
      kml(
        """
        <Placemark><ExtendedData><SchemaData schemaUrl="#track_points">
        <SimpleData name="track_fid">0</SimpleData><SimpleData name="ele">193.8</SimpleData>
        <SimpleData name="time">2025/03/10 14:02:07+00</SimpleData></SchemaData></ExtendedData>
        <Point><coordinates>13.3777,52.5163</coordinates></Point></Placemark>
        <Placemark><ExtendedData><Data name="speed"><value>2</value></Data></ExtendedData>
        <Point><coordinates>1,2</coordinates></Point></Placemark>
        """))
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.time == Timestamp(nanoseconds: 1_741_615_327_000_000_000) && fix.altitude == 193.8)
    #expect(decoded.points.count == 1 && decoded.issues.isEmpty)
    #expect(decoded.marks.contains { $0.contains("waypoint") })
  }

  @Test("altitudes above the ground are not read, and noted once")
  func aboveGround() {
    let track = """
      <Placemark><gx:Track><altitudeMode>relativeToGround</altitudeMode>
      <when>2025-03-10T14:02:07Z</when><gx:coord>1 2 30</gx:coord></gx:Track></Placemark>
      """
    let decoded = read(
      kml(track + track + track.replacing("relativeToGround", with: "clampToGround")))
    #expect(decoded.points.map(\.fix.altitude) == [nil, nil, 30])
    #expect(decoded.marks.filter { $0.contains("above the ground") }.count == 1)
  }

  @Test("the value `device` of a place is its device")
  func devices() {
    let device = { (name: String) in
      "<ExtendedData><Data name=\"device\"><value>\(name)</value></Data></ExtendedData>"
    }
    let track =
      "<gx:Track><when>2025-03-10T14:02:07Z</when><gx:coord>1 2</gx:coord></gx:Track>"
    let point =
      "<Point><coordinates>1,2</coordinates></Point>"
      + "<TimeStamp><when>2025-03-10T14:02:08Z</when></TimeStamp>"
    let contents = [
      device("a &amp; b") + track, track, point + device("c"), device("") + track,
      device("c") + track,
    ]
    let text = kml(contents.map { "<Placemark>\($0)</Placemark>" }.joined())
    let decoded = read(text)
    #expect(decoded.devices == ["a & b", "c"] && decoded.issues.isEmpty)
    #expect(decoded.points.map(\.device) == [0, nil, 1, nil, 1])
    for cut in 0...text.utf8.count { #expect(read(text, pieces: [cut]) == decoded, "\(cut)") }
  }
}
