import Estimation
import Geodesy
import Testing
import TrackFiles

@Suite("Written tracks")
struct TrackWriterTests {
  private func write(_ format: TrackFormat, _ tracks: [RecordedTrack]) -> String {
    var writer = TrackWriter(format)
    var text: [UInt8] = []
    writer.begin(into: &text)
    for track in tracks { writer.append(track, to: &text) }
    writer.end(into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private func fix(_ latitude: Double, _ longitude: Double, at seconds: Int64? = nil) -> Fix {
    Fix(
      time: seconds.map { Timestamp(nanoseconds: $0 * 1_000_000_000) },
      coordinate: Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test("are whole documents when there is nothing", arguments: TrackFormat.allCases)
  func empty(_ format: TrackFormat) {
    let text = write(format, [])
    switch format {
    case .gpx: #expect(text.hasSuffix("</gpx>\n"))
    case .geojson: #expect(text == "{\"type\":\"FeatureCollection\",\"features\":[]}\n")
    case .kml: #expect(text.hasSuffix("</Document>\n</kml>\n"))
    case .csv: #expect(text.hasPrefix("device,time,") && text.hasSuffix("mode\n"))
    case .ndjson: #expect(text.isEmpty)
    }
  }

  @Test("are cut at the antimeridian in GeoJSON, without a fix more or less")
  func antimeridian() {
    let track = RecordedTrack(
      device: "d", segments: [[fix(0, 179), fix(0, 179.5), fix(0, -179.5), fix(0, -179)]])
    #expect(
      write(.geojson, [track]) == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"device":"d","segment":1},"geometry":{"type":"LineString","coordinates":[[179,0],[179.5,0]]}},
        {"type":"Feature","properties":{"device":"d","segment":1},"geometry":{"type":"LineString","coordinates":[[-179.5,0],[-179,0]]}}
        ]}

        """)
  }

  @Test("have null where a fix lacks a value that others have")
  func gaps() {
    var known = fix(1, 2, at: 0)
    known.speed = 3
    let track = RecordedTrack(device: "d", segments: [[known, fix(1, 3)]])
    let text = write(.geojson, [track])
    #expect(text.contains("\"coordTimes\":[\"1970-01-01T00:00:00.000Z\",null],\"speed\":[3,null]"))
  }

  @Test("are lines in KML when a fix has no time")
  func timeless() {
    let timed = [fix(1, 2, at: 0), fix(1, 3, at: 1)]
    let text = write(
      .kml, [RecordedTrack(device: "d", segments: [timed, [fix(1, 2), fix(1, 3)], [fix(4, 5)]])])
    #expect(text.matches(of: /<gx:Track>/).count == 1)
    #expect(text.contains("<LineString><coordinates>2,1 3,1</coordinates></LineString>"))
    let device = "<ExtendedData><Data name=\"device\"><value>d</value></Data></ExtendedData>"
    #expect(
      text.contains("<name>d 3</name>\(device)<Point><coordinates>5,4</coordinates></Point>"))
  }

  @Test("name what XML cannot hold with the mark for such characters")
  func names() {
    let text = write(.gpx, [RecordedTrack(device: "a<b>&\"c\u{1}\u{FFFE}\n")])
    #expect(text.contains("<name>a&lt;b&gt;&amp;&quot;c\u{FFFD}\u{FFFD}&#10;</name>"))
    #expect(text.contains("<wm:device>a&lt;b&gt;&amp;&quot;c\u{FFFD}\u{FFFD}&#10;</wm:device>"))
  }

  @Test("leave out numbers that no format can hold, and write a course of 360 as north")
  func numbers() {
    var odd = fix(1, 2)
    (odd.speed, odd.altitude, odd.horizontalAccuracy) = (.infinity, 1e300, .nan)
    odd.course = 359.99999
    #expect(
      write(.ndjson, [RecordedTrack(device: "d", segments: [[odd]])])
        == "{\"type\":\"fix\",\"device\":\"d\",\"latitude\":1,\"longitude\":2,\"course\":0}\n")
  }
}
