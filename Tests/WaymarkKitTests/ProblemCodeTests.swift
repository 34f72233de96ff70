import TestSupport
import Testing
import WaymarkKit

@Suite("The codes of problems")
struct ProblemCodeTests {
  /// The codes of the problems of a file with this text.
  private func codes(_ text: String, _ name: String = "file") throws -> [TrackProblem.Code] {
    let folder = try ScratchFolder()
    try folder.write(name, text)
    let track = try TrackReader(folder.file(name))
    for _ in track {}
    return track.problems.map(\.code)
  }

  private func gpx(_ points: String) -> String {
    "<gpx version=\"1.1\"><trk><trkseg>\(points)</trkseg></trk></gpx>"
  }

  @Test("GPX")
  func gpx() throws {
    #expect(try codes(gpx("<trkpt lat=\"x\" lon=\"2\"/>")) == [.wrongNumber])
    #expect(try codes(gpx("<trkpt lat=\"1\"/>")) == [.missingPosition])
    #expect(
      try codes(gpx("<trkpt lat=\"1\" lon=\"2\"><time>noon</time></trkpt>")) == [.wrongTime])
    #expect(
      try codes(gpx("<trkpt lat=\"1\" lon=\"2\"><ele>high</ele></trkpt>")) == [.wrongNumber])
    #expect(try codes(gpx("<trkpt lat=\"1\" lon=\"2\"><fix>4d</fix></trkpt>")) == [.wrongValue])
    #expect(try codes("<gpx><trk></gpx>") == [.syntax])
    #expect(try codes("<html></html>") == [.syntax])
    let deep = String(repeating: "<a>", count: 2_000)
    #expect(try codes("<gpx>" + deep) == [.tooDeep])
  }

  @Test("TCX and KML")
  func xml() throws {
    let place =
      "<Position><LatitudeDegrees>a</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees>"
    let tcx = """
      <TrainingCenterDatabase><Activities><Activity><Lap><Track><Trackpoint><Time>noon</Time>
      \(place)</Position></Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>
      """
    #expect(try codes(tcx).prefix(2) == [.wrongTime, .wrongNumber])
    let kml = """
      <kml xmlns:gx="g"><Placemark><gx:Track><when>noon</when><gx:coord>1 2 3</gx:coord></gx:Track>
      </Placemark></kml>
      """
    #expect(try codes(kml).first == .wrongTime)
  }

  @Test("lines of JSON")
  func ndjson() throws {
    let good = "{\"type\":\"fix\",\"latitude\":1,\"longitude\":2}\n"
    #expect(
      try codes(good + "{\"type\":\"fix\",\"latitude\":\"a\",\"longitude\":2}\n") == [.wrongNumber])
    #expect(try codes(good + "{\"type\":\"fix\",\"latitude\":1}\n") == [.missingPosition])
    #expect(
      try codes(good + "{\"type\":\"fix\",\"time\":\"noon\",\"latitude\":1,\"longitude\":2}\n")
        == [.wrongTime])
    #expect(try codes(good + "{\"a\":1}\n") == [.unknownRecord])
    #expect(try codes(good + "{\"type\":\"fix,\n" + good) == [.unclosedQuote])
    #expect(try codes(good + "{\"type\":fix}\n") == [.syntax])
    let deep = String(repeating: "[", count: 100)
    #expect(try codes(good + "{\"a\":\(deep)}\n") == [.tooDeep])
    let long = String(repeating: "x", count: 70_000)
    #expect(try codes(good + "{\"note\":\"\(long)\"}\n") == [.tooLong])
    #expect(try codes(good + "{\"type\":\"fix") == [.truncated])
  }

  @Test("GeoJSON")
  func geoJSON() throws {
    let area = """
      {"type":"Polygon","coordinates":[[[0,0],[0,1],[1,1],[0,0]]]}
      """
    #expect(try codes(area) == [.noTrack])
    #expect(try codes("{\"type\":\"FeatureCollection\",\"features\":[") == [.truncated])
    #expect(try codes("{\"type\":\"FeatureCollection\",\"features\":[}") == [.syntax])
  }

  @Test("sentences of receivers")
  func receivers() throws {
    let good = "$GPRMC,063100,A,0100.0000,N,00200.0000,E,0.0,0.0,020526,,*12\r\n"
    let wrong = "$GPRMC,063100,A,0100.0000,N,00200.0000,E,0.0,0.0,020526,,*00\r\n"
    #expect(try codes(good + wrong).contains(.damaged))
    #expect(try codes(good + good + "noise\r\n").last == .unknownRecord)
  }

  @Test("tables")
  func tables() throws {
    #expect(try codes("time,latitude,height\n1,2,3\n") == [.missingHeader])
    #expect(try codes("time,latitude,longitude\n1,\"2\"x,3\n2,2,2\n") == [.syntax])
    #expect(try codes("time,latitude,longitude\n1,2\n2,2,2\n") == [.unknownRecord])
    #expect(try codes("time,latitude,longitude\n1,2") == [.truncated])
  }

  @Test("codes have names that stay, and may be compared and stored")
  func names() {
    #expect(TrackProblem.Code.unclosedQuote.rawValue == "unclosedQuote")
    #expect("\(TrackProblem.Code.wrongNumber)" == "wrongNumber")
    #expect(TrackProblem.Code(rawValue: "damaged") == .damaged)
  }

  @Test("a problem says its place as a compiler does")
  func description() {
    let problem = TrackProblem(
      code: .wrongNumber, path: "a.csv", line: 3, column: 4, message: "no number")
    #expect("\(problem)" == "a.csv:3:4: no number")
    #expect(
      "\(TrackProblem(code: .damaged, path: "a.fit", byteOffset: 12, message: "bad"))"
        == "a.fit: byte 12: bad")
    #expect(
      "\(TrackProblem(code: .notFound, path: "a", message: "no such file"))" == "a: no such file")
  }
}
