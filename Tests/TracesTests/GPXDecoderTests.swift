import Formats
import Geodesy
import Text
import Testing
@testable import Traces
import Tracking

private func track(_ points: String) -> String {
  "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>"
}

@Test("every field of a point is read")
func readsFields() {
  let fix = decode(sample).points[0].fix
  #expect(fix.coordinate == Coordinate(latitude: 52.5163, longitude: 13.3777))
  #expect(fix.time == Timestamp(nanoseconds: 1_709_208_000_000_000_000))
  #expect(fix.altitude == 34.5)
  #expect(fix.mode == .threeD)
  #expect(fix.satellites == 9)
  #expect(fix.hdop == 1.5)
  #expect(fix.speed == 3.5)
  #expect(fix.course == 0)
  #expect(fix.horizontalAccuracy == 4)
}

@Test("a sample yields its points, marks and issues in order")
func readsSample() {
  let decoded = decode(sample)
  #expect(decoded.points.map(\.line) == [12, 20, 22])
  #expect(decoded.points[1].fix.coordinate == Coordinate(latitude: 52.5, longitude: 13.4))
  #expect(decoded.points[2].fix.time == Timestamp(nanoseconds: 1_709_208_010_000_000_000))
  #expect(decoded.points[2].fix.altitude == nil)
  let bad = TraceIssue(
    .record, line: 21, column: 19,
    "lat is 'x', where degrees were expected; the <trkpt> is left out", code: .wrongNumber)
  let high = TraceIssue(
    .record, line: 22, column: 36,
    "the elevation is 'high', where a number was expected; the value is left out",
    code: .wrongNumber)
  let expected: [(Int, TraceMark)] = [
    (0, .waypoint(Coordinate(latitude: 1.5, longitude: -2.5), name: "Zürich & Bär")),
    (0, .route(name: "A <b> ]] c")), (0, .routePoint(Coordinate(latitude: 3, longitude: 4))),
    (0, .track(name: "Morning €")), (0, .segment), (2, .issue(bad)), (2, .issue(high)),
    (3, .segment),
  ]
  #expect(decoded.marks == expected.map { DecodedGPX.Marked(before: $0.0, mark: $0.1) })
}

@Test("speed and course of GPX 1.0 are read")
func readsVersion10() {
  let fix = decode(
    track("<trkpt lat='1' lon='2'><speed>3</speed><course>270.5</course><fix>dgps</fix></trkpt>")
  ).points.first?.fix
  #expect(fix?.speed == 3)
  #expect(fix?.course == 270.5)
  #expect(fix?.mode == .differential)
}

@Test("hdop alone becomes the 68 % radius of 19 m times hdop at 95 %")
func convertsHDOP() throws {
  let points = decode(track("<trkpt lat='1' lon='2'><hdop>2</hdop></trkpt>")).points
  let radius = try #require(points.first?.fix.horizontalAccuracy)
  #expect(abs(radius - 23.4356) < 0.001)
}

@Test(
  "extensions are read at any depth and by any name that is in use",
  arguments: ["accuracy", "hacc", "hAcc", "horizontalAccuracy"])
func readsAccuracy(name: String) {
  let inner = "<a:b><a:c><a:\(name)>7.5</a:\(name)></a:c></a:b>"
  let points = decode(track("<trkpt lat='1' lon='2'><extensions>\(inner)</extensions></trkpt>"))
    .points
  #expect(points.first?.fix.horizontalAccuracy == 7.5)
}

@Test("a prefix does not matter")
func readsPrefix() {
  let text = "<g:gpx><g:trk><g:name>n</g:name><g:trkseg><g:trkpt lat='1' lon='2'><g:ele>3</g:ele>"
  let decoded = decode(text + "</g:trkpt></g:trkseg></g:trk></g:gpx>")
  #expect(decoded.points.first?.fix.altitude == 3)
  #expect(decoded.marks.first?.mark == .track(name: "n"))
  #expect(decoded.issues.isEmpty)
}

@Test("omitted items are reported with their position")
func tellsIssues() {
  let cases: [(String, Int, String)] = [
    ("<trkpt lon='1'/>", 19, "a <trkpt> without the attribute lat; it is left out"),
    ("<trkpt lat='1'/>", 19, "a <trkpt> without the attribute lon; it is left out"),
    (
      "<trkpt lat='' lon='1'/>", 31,
      "lat is '', where degrees were expected; the <trkpt> is left out"
    ),
    (
      "<trkpt lat='1' lon='NaN'/>", 39,
      "lon is 'NaN', where degrees were expected; the <trkpt> is left out"
    ),
  ]
  for (text, column, message) in cases {
    let decoded = decode(track(text))
    #expect(decoded.points.isEmpty)
    let issue = TraceIssue(
      .record, line: 1, column: column, message,
      code: message.contains("without") ? .missingPosition : .wrongNumber)
    #expect(decoded.issues == [issue], "\(text)")
  }
}

@Test("an unreadable value is the only one that is lost")
func keepsPoint() {
  for (element, value) in [("time", "noon"), ("ele", "high"), ("sat", "1.5"), ("fix", "4d")] {
    let decoded = decode(
      track("<trkpt lat='91' lon='2'><\(element)>\(value)</\(element)><pdop>2</pdop></trkpt>"))
    #expect(decoded.points.first?.fix.coordinate.latitude == 91)
    #expect(decoded.points.first?.fix.pdop == 2)
    #expect(decoded.issues.map(\.kind) == [.record])
    #expect(decoded.issues.first?.column == 43)
  }
}

@Test("negative numbers that stand for unknown are unknown")
func unknowns() {
  let fix = decode(
    track("<trkpt lat='1' lon='2'><speed>-1</speed><course>-1</course><ele>-1</ele></trkpt>")
  ).points.first?.fix
  #expect(fix?.speed == nil)
  #expect(fix?.course == nil)
  #expect(fix?.altitude == -1)
}

@Test("a track is marked once, with its name if the name comes first")
func tellsTracks() {
  let marks = decode(
    "<gpx><trk><trkseg/><name>late</name></trk><trk/><trk><name>n</name></trk></gpx>"
  )
  .marks.map(\.mark)
  #expect(marks == [.track(name: nil), .segment, .track(name: nil), .track(name: "n")])
}

@Test("an unknown root is refused by its name, with those that are read")
func refusesRoot() {
  let expected = TraceIssue(
    .malformed, line: 2, column: 1,
    "the root element is <pwx>, expected <gpx>, <TrainingCenterDatabase> or <kml>; export the track "
      + "as GPX where it was made")
  #expect(decode("<?xml version='1.0'?>\n<tp:pwx/>").issues == [expected])
}

@Test("an empty trace is an issue", arguments: ["", " \n ", "\u{FEFF}", "<?xml version='1.0'?>"])
func tellsEmpty(text: String) {
  #expect(decode(text).issues.map(\.kind) == [.truncated])
}

@Test("a point that stands in no segment is a point of its track")
func readsPointWithoutSegment() {
  let decoded = decode("<gpx><trk><name>n</name><trkpt lat='1' lon='2'/></trk></gpx>")
  #expect(decoded.marks == [DecodedGPX.Marked(before: 0, mark: .track(name: "n"))])
  #expect(decoded.points.count == 1)
}

@Test(
  "hdop is the accuracy in metres where OsmAnd or Locus wrote it",
  arguments: ["OsmAnd 4.7.10", "OsmAnd~ 5", "OsmAndRouterV2", "Locus Map, Android"])
func readsAccuracyAsHDOP(creator: String) {
  let values = [
    "<hdop>4</hdop>", "<hdop>0</hdop>", "<hdop>-1</hdop>", "<hdop>x</hdop>",
    "<hdop>4</hdop><extensions><accuracy>7</accuracy></extensions>",
    "<extensions><accuracy>7</accuracy></extensions><hdop>4</hdop>",
  ]
  let points = values.map { "<trkpt lat=\"1\" lon=\"2\">\($0)</trkpt>" }.joined()
  let document = { (creator: String) in
    "<gpx creator=\"\(creator)\"><trk><trkseg>\(points)</trkseg></trk></gpx>"
  }
  let decoded = decode(document(creator))
  #expect(decoded.points.map(\.fix.horizontalAccuracy) == [4, nil, nil, nil, 7, 7])
  #expect(decoded.points.allSatisfy { $0.fix.hdop == nil })
  #expect(decoded.issues.count == 1)
  let other = decode(document("My OsmAnd"))
  #expect(other.points.first?.fix.hdop == 4)
  #expect((other.points.first?.fix.horizontalAccuracy ?? 0) > 40)
}

@Test("accuracies of OpenTracks are read")
func readsOpenTracks() {
  let decoded = decode(
    """
    <gpx creator="OpenTracks"><trk><trkseg><trkpt lat="48.1" lon="11.5"><extensions>
    <gpxtpx:TrackPointExtension><gpxtpx:speed>1.25</gpxtpx:speed>
    <opentracks:accuracy_horizontal>4</opentracks:accuracy_horizontal>
    <opentracks:accuracy_vertical>6</opentracks:accuracy_vertical>
    </gpxtpx:TrackPointExtension></extensions></trkpt></trkseg></trk></gpx>
    """)
  let fix = decoded.points.first?.fix
  #expect(fix?.horizontalAccuracy == 4 && fix?.verticalAccuracy == 6 && fix?.speed == 1.25)
}

@Test("a track names its device in our namespace, whatever its prefix is")
func readsDevices() {
  let track = { (device: String) in
    "<trk><name>n</name><extensions>\(device)</extensions><trkseg><trkpt lat=\"1\" lon=\"2\"/>"
      + "<trkpt lat=\"1\" lon=\"3\"/></trkseg></trk>"
  }
  let devices = [
    "<ns0:device> a &amp; b </ns0:device>", "<ns0:device>c</ns0:device>",
    "<x:device>Phone 7</x:device>", "<device>Phone 7</device>", "<ns0:device/>",
    "<ns0:device>c</ns0:device>",
  ]
  let text =
    "<gpx xmlns:x=\"urn:x\" xmlns:ns0=\"urn:waymark:gpx:1\">"
    + devices.map(track).joined() + "</gpx>"
  var decoder = GPXDecoder()
  var batch = TraceBatch()
  let bytes = Array(text.utf8)
  _ = decoder.decode(bytes.span, isFinal: true, into: &batch)
  #expect(batch.devices == ["a & b", "c"])
  #expect(batch.points.map(\.device) == [0, 0, 1, 1, nil, nil, nil, nil, nil, nil, 1, 1])
  let whole = decode(bytes)
  for size in [1, 7, 64] { #expect(decode(bytes, chunk: size) == whole, "\(size)") }
}
