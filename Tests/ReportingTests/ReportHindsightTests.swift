import Geodesy
import TestSupport
import Testing

@testable import Reporting

@Suite("A report in hindsight")
struct ReportHindsightTests {
  /// A walk to the north along a meridian with errors of some metres, and the report of it.
  private static func report(hindsight: Bool) throws -> Report {
    var random = SeededGenerator(seed: 8)
    let start = Coordinate(latitude: 52, longitude: 13)
    let places = (0..<900).map { second in
      start.destination(bearing: 0, distance: 1.4 * Double(second))
        .destination(bearing: 90, distance: 15 * Double.random(in: -1...1, using: &random))
    }
    return try Walk(places: places, accuracy: 10, every: 1).report(hindsight: hindsight)
  }

  private static func error(of report: Report) -> Double {
    let estimates = report.devices[0].estimates
    return estimates.reduce(0) { $0 + abs($1.coordinate.longitude - 13) } / Double(estimates.count)
  }

  @Test("has an estimate for every fix, closer to the way than what was known at the time")
  func closer() throws {
    let (live, later) = (try Self.report(hindsight: false), try Self.report(hindsight: true))
    for report in [live, later] {
      #expect(report.devices[0].fixes.count == 900)
      #expect(report.devices[0].estimates.map(\.time) == report.devices[0].fixes.map(\.time))
    }
    #expect(Self.error(of: later) < 0.8 * Self.error(of: live))
    #expect(String(decoding: later.data, as: UTF8.self).contains(#""hindsight":true"#))
  }

  @Test("marks the fixes that the engine dropped")
  func dropped() throws {
    let places = (0..<100).map { Coordinate(latitude: $0 == 50 ? 60 : 52, longitude: 13) }
    let report = try Walk(places: places, accuracy: 10, every: 1).report(hindsight: true)
    let device = report.devices[0]
    #expect(device.fixes.indices.filter { device.fixes[$0].isDropped } == [50])
    #expect(device.estimates.count == 99)
  }

  @Test("marks the first fix after a jump that the next one confirms", arguments: [true, false])
  func jump(hindsight: Bool) throws {
    let places = (0..<100).map { Coordinate(latitude: $0 < 50 ? 52 : 60, longitude: 13) }
    let report = try Walk(places: places, accuracy: 10, every: 1).report(hindsight: hindsight)
    let device = report.devices[0]
    #expect(device.fixes.indices.filter { device.fixes[$0].begins } == [50])
    #expect(device.fixes.count { $0.isDropped } == 0)
  }
}
