import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("The map of visits")
struct VisitMapTests {
  /// A way to the north-east at 30 m/s, a fix a second, with errors of some metres.
  private func fixes(_ count: Int, seed: UInt64) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    let start = Coordinate(latitude: 52.5, longitude: 13.4)
    return (0..<count).map { second in
      let place = start.destination(bearing: 40, distance: 30 * Double(second))
        .destination(
          bearing: .random(in: 0..<360, using: &random),
          distance: .random(in: 0..<5, using: &random))
      var fix = Fix(time: Timestamp(nanoseconds: Int64(second) * 1_000_000_000), coordinate: place)
      fix.horizontalAccuracy = 5
      return fix
    }
  }

  private func tracker() -> Tracker {
    var rules = Rules()
    rules.visits = VisitRules()
    return Tracker(rules: rules)
  }

  // So that places need not be shown on one map and then on another.
  @Test("is that of the filter, but for the last kilometre before it is made anew")
  func shared() throws {
    var tracker = tracker()
    var events: [Event] = []
    var (origins, others) = ([Coordinate](), 0)
    for fix in fixes(2_000, seed: 7) {
      tracker.ingest(fix, into: &events)
      let origin = try #require(tracker.visits.map?.origin)
      if origin != origins.last { origins.append(origin) }
      if origin != tracker.motion.map?.origin { others += 1 }
    }
    #expect((6...9).contains(origins.count), "60 km, and a map has a radius of 8 km")
    #expect(others < 280, "\(others) of 2,000")
  }

  @Test("what the filter hands on are the places of the estimate and of the fix, to 0.2 mm")
  func alike() throws {
    var motion = Motion()
    for fix in fixes(700, seed: 8) {
      let taken = motion.ingest(fix)
      let found = try #require(taken)
      let map = found.positions.map
      let mean = map.vector(to: found.estimate.coordinate)
      #expect(Trail.distance(found.positions.mean, mean) < 2e-4)
      #expect(found.place == map.vector(to: fix.coordinate))
    }
  }
}
