import Geodesy
import Testing
import Tracking

@testable import make_stories

@Suite struct StoryTextTests {
  @Test(
    "numbers are rounded half away from zero and have no negative zero",
    arguments: [
      (1.0, 7, "1.0000000"), (-13.3777, 4, "-13.3777"), (0.25, 1, "0.3"), (-0.04, 1, "0.0"),
      (9.99, 1, "10.0"), (12.5, 0, "13"), (-179.99999999, 7, "-180.0000000"),
    ])
  func decimals(value: Double, decimals: Int, text: String) {
    #expect(String(value, decimals: decimals) == text)
  }

  @Test("instants are written in UTC")
  func times() {
    #expect(Timestamp(1970, 1, 1).nanoseconds == 0)
    #expect(Timestamp(2024, 2, 29, seconds: 86_399).text() == "2024-02-29T23:59:59Z")
    #expect(Timestamp(2000, 3, 1).text(alwaysWithMilliseconds: true) == "2000-03-01T00:00:00.000Z")
    let before = Timestamp(nanoseconds: -1_500_000_000)
    #expect(before.text() == "1969-12-31T23:59:58.500Z")
    #expect(Timestamp(2026, 5, 1, seconds: 43_200).nanoseconds == 1_777_636_800_000_000_000)
  }

  @Test("a point of GPX 1.1 has its accuracy and motion in extensions, one of 1.0 does not")
  func points() {
    var fix = Fix(
      time: Timestamp(2026, 5, 1), coordinate: Coordinate(latitude: 1.5, longitude: -2.25))
    fix.horizontalAccuracy = 4.56
    fix.speed = 1.25
    fix.course = 359.96
    #expect(
      GPXText().point(fix)
        == #"<trkpt lat="1.5000000" lon="-2.2500000"><time>2026-05-01T00:00:00Z</time>"#
        + "<extensions><wm:accuracy>4.6</wm:accuracy><gpxtpx:TrackPointExtension>"
        + "<gpxtpx:speed>1.25</gpxtpx:speed><gpxtpx:course>0.0</gpxtpx:course>"
        + "</gpxtpx:TrackPointExtension></extensions></trkpt>")
    #expect(
      GPXText(version: .v1_0, prefix: "g").point(fix)
        == #"<g:trkpt lat="1.5000000" lon="-2.2500000"><g:time>2026-05-01T00:00:00Z</g:time>"#
        + "<g:course>0.0</g:course><g:speed>1.25</g:speed></g:trkpt>")
  }
}
