import Foundation
@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

private let document = """
  <?xml version="1.0" encoding="UTF-8"?>
  <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
    xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2">
   <Folders><History><Time>x</Time></History></Folders>
   <Activities><Activity Sport="Running"><Id>2025-03-10T14:02:07.000Z</Id>
    <Lap StartTime="2025-03-10T14:02:07.000Z"><DistanceMeters>10</DistanceMeters>
     <Track>
      <Trackpoint><Time>2025-03-10T14:02:07.000Z</Time>
       <Position><LatitudeDegrees>52.5163</LatitudeDegrees><LongitudeDegrees>13.3777</LongitudeDegrees></Position>
       <AltitudeMeters>34.5</AltitudeMeters><HeartRateBpm><Value>99</Value></HeartRateBpm>
       <Extensions><ns3:TPX><ns3:Speed>2.5</ns3:Speed><ns3:RunCadence>88</ns3:RunCadence></ns3:TPX></Extensions>
      </Trackpoint>
      <Trackpoint><Time>2025-03-10T14:02:08.000Z</Time><HeartRateBpm><Value>99</Value></HeartRateBpm></Trackpoint>
     </Track>
     <Track>
      <Trackpoint><Time>noon</Time><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position><AltitudeMeters/></Trackpoint>
     </Track>
    </Lap></Activity></Activities>
   <Courses><Course><Name>Round</Name><Track>
    <Trackpoint><Time>2025-03-10T14:02:07.000Z</Time><Position><LatitudeDegrees>3</LatitudeDegrees><LongitudeDegrees>4</LongitudeDegrees></Position></Trackpoint>
   </Track></Course></Courses>
  </TrainingCenterDatabase>
  """

@Suite("TCX")
struct TCXTests {
  private func read(_ text: String, pieces: [Int] = []) -> Decoded {
    decode(text, with: XMLTraceDecoder<TCXContent>(), pieces: pieces)
  }

  @Test("an activity's points are fixes, a course's are planned, and the rest is counted")
  func activity() throws {
    let decoded = read(document)
    #expect(decoded.points.map(\.line) == [8, 16])
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.time == Timestamp(nanoseconds: 1_741_615_327_000_000_000))
    #expect(fix.coordinate == Coordinate(latitude: 52.5163, longitude: 13.3777))
    #expect(fix.altitude == 34.5 && fix.speed == 2.5)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 16:17 <Time> is 'noon', where a time such as 2024-02-29T12:00:00Z was expected; it is left out"
      ])
    #expect(decoded.points.last?.fix.time == nil)
    #expect(
      decoded.marks.filter { !$0.contains("issue") } == [
        "0: track(name: nil)", "0: segment", "1: otherRecord", "1: segment",
        "2: route(name: nil)",
        "2: routePoint(Geodesy.Coordinate(latitude: 3.0, longitude: 4.0))",
      ])
  }

  @Test(
    "laps are parts of one track, and segments of it where a pause is between them",
    arguments: [
      // Two laps without a pause, and with one.
      ("L0,1 L2,3", ["0: track", "0: segment"]),
      ("L0,1 L62,63", ["0: track", "0: segment", "2: segment"]),
      // A lap goes on after a pause, a lap has no fix, times go back.
      ("L0,1 T3,4 L5", ["0: track", "0: segment", "2: segment"]),
      ("L0,1 L L70 L71", ["0: track", "0: segment", "2: segment"]),
      ("L L0,1 L T9", ["0: track", "0: segment", "2: segment"]),
      ("L900,901 L0,1", ["0: track", "0: segment", "2: segment"]),
      ("L0,1 A L2,3", ["0: track", "0: segment", "2: track", "2: segment"]),
    ])
  func laps(layout: String, marks: [String]) {
    // L is a lap with a track, T another track of it, and A another activity.
    var text = ""
    for part in layout.split(separator: " ") {
      if part == "A" {
        text += "</Lap></Activity><Activity>"
        continue
      }
      if part.hasPrefix("L") { text += (text.hasSuffix("</Track>") ? "</Lap>" : "") + "<Lap>" }
      let points = part.dropFirst().split(separator: ",").compactMap { Int($0) }.map { seconds in
        "<Trackpoint><Time>"
          + String(format: "2025-03-10T08:%02d:%02dZ", seconds / 60, seconds % 60)
          + "</Time><Position><LatitudeDegrees>1</LatitudeDegrees>"
          + "<LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>"
      }
      text += "<Track>\(points.joined())</Track>"
    }
    let decoded = read(
      "<TrainingCenterDatabase><Activities><Activity>\(text)</Lap></Activity></Activities>"
        + "</TrainingCenterDatabase>")
    #expect(decoded.marks.map { $0.replacing("(name: nil)", with: "") } == marks)
    #expect(decoded.issues.isEmpty)
  }

  @Test("an activity without any position says so")
  func indoors() {
    let decoded = read(document.replacing(#/<Position>.*?</Position>/#, with: ""))
    #expect(decoded.points.isEmpty)
    #expect(
      decoded.issues.last?.message == "no point has a position: was the activity indoors?")
  }

  @Test("cut at any byte, the same is read")
  func cuts() {
    let whole = read(document)
    for cut in 0...document.utf8.count { #expect(read(document, pieces: [cut]) == whole, "\(cut)") }
    #expect(read(document, pieces: Array(repeating: 1, count: document.utf8.count)) == whole)
  }

  @Test("a text with an element in it has the same place, wherever the document is cut")
  func elementInText() {
    let text =
      "<TrainingCenterDatabase><Activities><Activity>\n<Lap><Track><Trackpoint>"
      + "<Time>noon<Other>\n\n</Other></Time></Trackpoint>"
    let whole = read(text)
    #expect(whole.issues.first?.shown.hasPrefix("record 2:25 <Time> is 'noon'") == true)
    for cut in 0...text.utf8.count { #expect(read(text, pieces: [cut]) == whole, "\(cut)") }
  }

  @Test("what is complete in a cut document is read")
  func truncated() {
    let end = document.range(of: "<Track>", options: .backwards)?.lowerBound ?? document.startIndex
    let decoded = read(String(document[..<end]))
    #expect(decoded.points.count == 2 && decoded.issues.last?.kind == .truncated)
    #expect(
      read("<gpx/>").issues.map(\.shown) == [
        "malformed 1:1 the root element is <gpx>, where <TrainingCenterDatabase> was expected"
      ])
  }

  @Test("of several positions of a point the last is read, and the others are counted")
  func positions() throws {
    func position(_ latitude: Int) -> String {
      "<Position><LatitudeDegrees>\(latitude)</LatitudeDegrees>"
        + "<LongitudeDegrees>2</LongitudeDegrees></Position>"
    }
    let decoded = read(
      "<TrainingCenterDatabase><Activities><Activity><Lap><Track><Trackpoint>"
        + "<Time>2025-03-10T14:02:07Z</Time>\(position(1))\(position(3))</Trackpoint>"
        + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>")
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [3] && decoded.issues.isEmpty)
    #expect(decoded.marks.filter { $0.hasSuffix("otherRecord") }.count == 1)
  }
}
