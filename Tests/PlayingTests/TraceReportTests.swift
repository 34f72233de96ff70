@testable import Playing
import Testing

@Suite("The summary of a trace")
struct TraceReportTests {
  private func report(_ text: String) throws -> (lines: [String], warnings: [String]) {
    let fixture = try PlayingFixture()
    var warnings: [String] = []
    let report = try TraceSummary(of: try fixture.feed("a.csv", text)) { warnings.append($0) }
    return (Array(report.lines.dropFirst()), warnings)
  }

  @Test("names ten devices and counts the others")
  func devices() throws {
    let rows = (10...21).map { "2025-03-10T08:00:00Z,0,0,d\($0)\n" }.joined()
    let lines = try report("time,latitude,longitude,device\n" + rows).lines
    #expect(
      lines.contains("  devices      12: d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, …"))
  }

  @Test("tracks and segments at different places add no way between them")
  func tracks() throws {
    func points(_ minute: Int, _ longitude: Double) -> String {
      (0..<3).map { step in
        """
        <trkpt lat="0" lon="\(longitude + Double(step) / 1_000)">\
        <time>2025-03-10T08:\(minute + step):00Z</time></trkpt>
        """
      }.joined()
    }
    let gpx = """
      <gpx creator="Ride &amp; Co"><trk><trkseg>\(points(10, 1))</trkseg>\
      <trkseg>\(points(13, 1.1))</trkseg></trk><trk><trkseg>\(points(16, 1.2))</trkseg></trk></gpx>
      """
    let lines = try report(gpx).lines
    #expect(lines.contains("  format       GPX"))
    #expect(lines.contains("  producer     Ride & Co"))
    #expect(lines.contains("  tracks       2, 3 segments"))
    #expect(lines.contains("  moving       6 min"))
    #expect(lines.contains("  length       668 m"))
  }

  @Test(
    "names the program or the receiver that made the trace",
    arguments: [
      (
        """
        <TrainingCenterDatabase><Activities><Activity><Lap><Track/></Lap>\
        <Creator><Name>Forerunner 945</Name></Creator></Activity></Activities>\
        <Author><Name>Connect</Name></Author></TrainingCenterDatabase>
        """, "Forerunner 945"
      ),
      (
        "<TrainingCenterDatabase><Author><Name>Connect</Name></Author></TrainingCenterDatabase>",
        "Connect"
      ),
      (
        """
        <kml xmlns:atom="a"><Document><atom:author><atom:name>My Tracks</atom:name></atom:author>\
        <name>Day</name></Document></kml>
        """, "My Tracks"
      ),
      (
        #"{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}"# + "\n",
        "gpsd 3.25"
      ),
      (
        """
        $GPGLL,4916.45,N,12311.12,W,225444,A
        $GNGLL,4916.45,N,12311.12,W,225445,A

        """, "talkers GN, GP"
      ),
    ])
  func producers(text: String, producer: String) throws {
    #expect(try report(text).lines.contains("  producer     \(producer)"))
  }

  @Test("a blank line before the XML declaration is a note, an empty element is nothing")
  func tolerated() throws {
    let (lines, warnings) = try report(
      """

      <?xml version="1.0"?>
      <gpx><trk><trkseg><trkpt lat="1" lon="2"><ele/><time>2025-03-10T08:00:00Z</time></trkpt>\
      <trkpt lat="1" lon="2"><ele></ele><time>2025-03-10T08:00:01Z</time></trkpt></trkseg></trk></gpx>
      """)
    #expect(warnings == [])
    #expect(lines.contains("  points       2"))
    #expect(lines.contains { $0.hasPrefix("  note ") && $0.contains("XML declaration") })
    #expect(!lines.contains { $0.hasPrefix("  problem ") })
  }

  @Test(
    "reports once the zone that was assumed for times without one",
    arguments: [
      ("", 1), ("Z", 0), ("+02:00", 0),
    ])
  func zone(zone: String, notes: Int) throws {
    let times = (0..<3).map { "2025-03-10T08:00:0\($0)\(zone)" }
    let texts = [
      "time,latitude,longitude\n" + times.map { "\($0),1,2\n" }.joined(),
      "<gpx><trk><trkseg>"
        + times.map { #"<trkpt lat="1" lon="2"><time>\#($0)</time></trkpt>"# }.joined()
        + "</trkseg></trk></gpx>",
      """
      <TrainingCenterDatabase><Activities><Activity><Lap><Track>\(times.map {
        """
        <Trackpoint><Time>\($0)</Time><Position><LatitudeDegrees>1</LatitudeDegrees>\
        <LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>
        """
      }.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
      """,
      "<kml><Placemark><Track>" + times.map { "<when>\($0)</when>" }.joined()
        + times.map { _ in "<coord>2 1 0</coord>" }.joined() + "</Track></Placemark></kml>",
      "<kml><Placemark><TimeSpan><begin>\(times[0])</begin><end>\(times[1])</end></TimeSpan>"
        + "<LineString><coordinates>2,1 2,1</coordinates></LineString></Placemark></kml>",
    ]
    for text in texts {
      let lines = try report(text).lines.filter {
        $0.contains("times without a zone are read as UTC")
      }
      #expect(lines.count == notes, "\(text)")
    }
  }

  @Test("tells what the gate would do with the fixes, and on which line it began")
  func gate() throws {
    let lines = try report(
      """
      time,latitude,longitude
      2025-03-10T08:00:00Z,1,0
      2025-03-10T08:01:00Z,1,0
      2025-03-10T08:01:00Z,1,0
      2025-03-10T08:00:30Z,1,0
      2025-03-10T08:02:00Z,50,0

      """
    ).lines
    #expect(lines.contains("  gate         1 late fix put in order"))
    #expect(lines.contains("  gate         1 fix unused: a jump that no later fix confirmed"))
    #expect(
      lines.contains(
        "  problem      1 dropped: same time and place as the fix before (first on line 4)"))
  }

  @Test("uses singular and plural")
  func words() throws {
    let gpx = """
      <gpx><wpt lat="1" lon="1"/><rte><rtept lat="1" lon="1"/></rte><trk><trkseg>\
      <trkpt lat="1" lon="1"><time>2025-03-10T08:00:00Z</time></trkpt>\
      <trkpt lat="1" lon="1"><time>2025-03-10T10:00:01Z</time></trkpt></trkseg></trk></gpx>
      """
    let lines = try report(gpx).lines
    #expect(lines.contains("  tracks       1, 1 segment"))
    #expect(lines.contains("  planned      1 route point, 1 waypoint"))
    #expect(lines.contains { $0.hasPrefix("  sampling     a fix every 2 h (median), 1 gap over ") })
    #expect(lines.contains { $0.hasSuffix(", the longest 2 h") })
  }

  @Test("of an event log counts the skipped records")
  func records() throws {
    let lines = try report(
      """
      {"type":"fix","device":"van","time":"2025-03-10T08:00:00Z","latitude":1,"longitude":2}
      {"type":"enter","device":"van"}

      """
    ).lines
    #expect(lines.contains("  other records 1"))
    #expect(lines.contains("  devices      van"))
  }

  @Test("reports a hundred errors and counts the rest")
  func faults() throws {
    let rows = (0..<130).map { _ in "x,0,0,0\n" }.joined()
    let (lines, warnings) = try report("time,latitude,longitude\n" + rows)
    #expect(warnings.count == 100)
    #expect(
      lines.last
        == "  problem      130 errors in the file, the first 100 reported on standard error")
  }
}
