@testable import Formats
import Testing

@Suite("Patterns of devices in paths")
struct DevicePatternTests {
  @Test(
    "name the device by the end of a path",
    arguments: [
      ("{device}/*", "fleet/van/day.gpx", "van"), ("{device}/*", "day.gpx", nil),
      ("{device}-*.gpx", "a/van-2026-05-04.gpx", "van"), ("{device}-*.gpx", "a/van.gpx", nil),
      ("*-{device}.csv", "2026-05-04-van.csv", "05-04-van"), ("{device}.*", "van.gpx.gz", "van"),
      ("/{device}/*/*", "a.zip/van/may/1.gpx", "van"), ("{device}/day.gpx", "van/night.gpx", nil),
      ("{device}", "a/van", "van"), ("van-{device}", "van-", nil), ("*{device}", "ä", "ä"),
      ("{dev}{device}", "{dev}x", "x"),
    ] as [(String, String, String?)])
  func device(pattern: String, path: String, device: String?) throws {
    #expect(try DevicePattern(pattern).device(in: path) == device)
  }

  @Test("without one {device} there is no device", arguments: ["", "*.gpx", "{device}/{device}"])
  func refused(pattern: String) {
    #expect(throws: DevicePattern.Failure.self) { try DevicePattern(pattern) }
  }
}
