@testable import Formats
import Geodesy
@testable import Receivers
import Testing
import Traces
import Tracking

@Suite("GPX of gpxlogger")
struct GPXLoggerTests {
  @Test(
    "its elevations are heights above the ellipsoid",
    arguments: ["gpxlogger.gpx", "gpxlogger-killed.gpx"])
  func heights(name: String) throws {
    let decoded = decode(try fixture(name), with: GPXDecoder())
    // It drops what has no position, and the step back in time begins a new track.
    #expect(decoded.points.count == 22)
    #expect(decoded.marks.filter { $0.contains("track") }.count == 3)
    #expect(decoded.points.allSatisfy { $0.fix.altitude == nil })
    #expect(decoded.points.dropFirst().allSatisfy { $0.fix.ellipsoidalAltitude != nil })
    let reference = decode(try fixture("boat.nmea"), with: ReceiverLogDecoder()).points
      .filter { $0.fix.mode != .none }
    #expect(decoded.points.map(\.fix.time) == reference.map(\.fix.time))
    for (point, other) in zip(decoded.points, reference).dropFirst() {
      #expect(point.fix.coordinate.distance(to: other.fix.coordinate) < 0.001)
      let (a, b) = (point.fix.ellipsoidalAltitude ?? 0, other.fix.ellipsoidalAltitude ?? 1)
      #expect(abs(a - b) < 0.01)
    }
    let isKilled = name.contains("killed")
    #expect(decoded.issues.map(\.kind) == (isKilled ? [.truncated] : []))
  }

  @Test("elevations of other programs are above mean sea level")
  func otherCreators() {
    for creator in ["Garmin", "GPSD", "a GPSD 3", ""] {
      let decoded = decode(
        "<gpx creator=\"\(creator)\"><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>5</ele></trkpt>"
          + "</trkseg></trk></gpx>", with: GPXDecoder())
      #expect(decoded.points.first?.fix.altitude == 5)
      #expect(decoded.points.first?.fix.ellipsoidalAltitude == nil)
    }
  }
}
