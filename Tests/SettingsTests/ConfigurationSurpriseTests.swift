import Geodesy
@testable import Settings
import TestSupport
import Testing
import Tracking

@Suite("Warnings about a valid config")
struct ConfigurationSurpriseTests {
  private func diagnostics(_ text: String) throws -> [String] {
    try configuration(text).diagnostics.map(\.description)
  }

  @Test("nothing in a plain config")
  func plain() throws {
    let text = """
      visits: false
      significant-changes: false
      geocoder: {provider: none}
      fences:
        - {id: a, center: [1, 2], radius: 20, decision: naive}
        - {id: b, center: [1, 3], radius: 50, notify: [dwell], dwell: 60}
      """
    #expect(try diagnostics(text) == [])
  }

  @Test("radii below a receiver's accuracy")
  func smallRadii() throws {
    let text = """
      fences:
        - {id: a, center: [1, 2], radius: 19.5}
        - {id: b, center: [1, 3], radius: 9 m}
        - {id: c, center: [1, 4], radius: 9 m, decision: naive}
      """
    #expect(
      try diagnostics(text) == [
        "w.yaml:2:10: warning: the radius of 'a', 19.5 m, is below 20 m, a receiver's accuracy "
          + "between houses: it may never be sure that a device is inside",
        "w.yaml:3:10: warning: the radius of 'b', 9 m, is below 10 m: even under open sky "
          + "it may never be sure that a device is inside",
        "w.yaml:4:10: warning: the radius of 'c', 9 m, is below 10 m: even under open sky "
          + "a receiver at rest will seem to enter and leave",
      ])
  }

  @Test("a dwell time without effect, and ids that differ only in case")
  func dwellAndCase() throws {
    let text = """
      fences:
        - {id: Depot, center: [1, 2], radius: 50, dwell: 60}
        - {id: depot, center: [1, 3], radius: 50}
      """
    #expect(
      try diagnostics(text) == [
        "w.yaml:2:10: warning: the dwell time of 'Depot' has no effect, "
          + "as its notify does not name dwell",
        "w.yaml:3:10: warning: the ids 'Depot' (w.yaml:2:10) and 'depot' differ only in case",
      ])
  }

  @Test("an edge that spans more than half the Earth")
  func wideEdge() throws {
    let text = "fences: [{id: a, polygon: [[0, -170], [10, -170], [10, 170], [0, 170]]}]"
    #expect(
      try diagnostics(text) == [
        "w.yaml:1:15: warning: an edge of 'a' spans more than 180 degrees of longitude and is "
          + "taken the short way round, across the antimeridian"
      ])
  }

  @Test("fences that overlap, also a circle and a polygon")
  func overlaps() throws {
    let text = """
      fences:
        - {id: a, center: [52.5, 13.4], radius: 100}
        - {id: b, center: [52.5, 13.402], radius: 100}
        - {id: c, center: [52.5, 13.404], radius: 100}
        - {id: d, polygon: [[52.4, 13.3], [52.6, 13.3], [52.6, 13.5]]}
      """
    #expect(
      try diagnostics(text) == [
        "w.yaml:3:10: note: 'b' overlaps 'a' (w.yaml:2:10): a place in both is in two fences",
        "w.yaml:4:10: note: 'c' overlaps 'b' (w.yaml:3:10): a place in both is in two fences",
        "w.yaml:5:10: note: 'd' overlaps 'a' (w.yaml:2:10): a place in both is in two fences",
      ])
  }

  @Test("twenty warnings of a kind are listed, the rest counted")
  func manyOverlaps() throws {
    let lines = (0..<10).map { "- {id: f\($0), center: [1, 2], radius: 15}\n" }
    let texts = try diagnostics("fences:\n" + lines.joined())
    #expect(texts.count == 10 + 20 + 1)
    #expect(texts.last == "w.yaml:8:8: note: and 25 more pairs of fences overlap")
    let more = (0..<25).map { "- {id: f\($0), center: [1, \($0)], radius: 15}\n" }
    #expect(
      try diagnostics("fences:\n" + more.joined()).last
        == "w.yaml:22:8: warning: and 5 more fences have a radius below 20 m")
  }

  @Test("the sweep finds what comparing every pair finds")
  func sweepAgainstBruteForce() throws {
    var random = SeededGenerator(seed: 20_260_731)
    let fences = (0..<300).map { index in
      let center = Coordinate(
        latitude: Double.random(in: -90...90, using: &random),
        longitude: index % 2 == 0 ? 179.9 : Double.random(in: -180...180, using: &random))
      let radius = Double.random(in: 1...1_000_000, using: &random)
      return Fence(id: "\(index)", area: .circle(Circle(center: center, radius: radius)))
    }
    let overlaps = FenceOverlaps(fences, shown: .max)
    var expected: [[Int]] = []
    for second in fences.indices {
      for first in 0..<second where fences[first].area.overlaps(fences[second].area) {
        expected.append([first, second])
      }
    }
    #expect(overlaps.isComplete)
    #expect(overlaps.pairs.map { [$0.first, $0.second] } == expected, "seed \(random.seed)")
    #expect(overlaps.count == expected.count)
  }

  @Test("thousands of fences in one place are not all compared")
  func tooManyPairs() {
    let circle = Circle(center: Coordinate(latitude: 1, longitude: 2), radius: 50)
    let fences = (0..<200).map { Fence(id: "\($0)", area: .circle(circle)) }
    let few = 1_000 * FenceOverlaps.circleCost
    let overlaps = FenceOverlaps(fences, shown: 20, mostEdgePairs: few)
    #expect(!overlaps.isComplete)
    #expect(overlaps.count == 1_000)
    #expect(overlaps.pairs.count == 20)
  }

  @Test("a fence too small for the cushion of its decision")
  func cushion() throws {
    let text = """
      fences:
        - {id: a, center: [1, 2], radius: 49, decision: apple}
        - {id: b, center: [1, 3], radius: 50, decision: apple}
        - {id: c, center: [1, 4], radius: 49, decision: strict}
      """
    #expect(
      try diagnostics(text) == [
        "w.yaml:2:10: warning: the radius of 'a', 49 m, is below the cushion of 50 m of the "
          + "decision 'apple': it reports an enter halfway to the centre, and an exit 50 m outside"
      ])
  }

  @Test("stays as short as stops in traffic, and lengths below the accuracy")
  func smallVisitsAndChanges() throws {
    let text = """
      visits: {minimum-stay: 119, radius: 19.5 m}
      significant-changes: {interval: 1, distance: 19 m}
      """
    #expect(
      try diagnostics(text) == [
        "w.yaml:1:10: warning: a minimum stay of 1 min 59 s is below 2 min: "
          + "expect visits to red lights and bus stops",
        "w.yaml:1:29: warning: a visit radius of 19.5 m is below 20 m, "
          + "a receiver's accuracy between houses: expect stays that fall apart",
        "w.yaml:2:36: warning: a significant distance of 19 m is below 20 m, "
          + "a receiver's accuracy between houses: expect changes where nothing moved",
      ])
    let enough = "visits: {minimum-stay: 2 min, radius: 20}\nsignificant-changes: {distance: 20}"
    #expect(try diagnostics(enough) == [])
  }

  @Test("a gate that waits for usual silences, forgets weekends, or takes lateness for a jump")
  func oddGate() throws {
    #expect(
      try diagnostics("gate: {clock-jump: 6 h, memory: 36 h, lateness: 7 h}") == [
        "w.yaml:1:8: warning: a clock jump of 6 h is below 12 h: after a longer silence, such as a "
          + "night, a fix waits for the next one",
        "w.yaml:1:25: warning: a memory of 1 d 12 h is below 2 d: after a weekend without a fix the "
          + "state of a fence is unknown, and a stay ends as two",
        "w.yaml:1:39: warning: a lateness of 7 h is above the clock jump of 6 h: a later fix waits "
          + "for the next one",
      ])
    #expect(
      try diagnostics("gate: {clock-jump: 400 d, memory: 366 d, lateness: 11 min}") == [
        "w.yaml:1:8: warning: a clock jump of 400 d is above 1 year: "
          + "a date that is months ahead is taken for a silence",
        "w.yaml:1:27: warning: a memory of 366 d is above 1 year: "
          + "a lost device counts as inside for as long",
        "w.yaml:1:42: warning: a lateness of 11 min is above 10 min: only the last 16 to 32 fixes "
          + "are put in order, and reported events stay as they are",
      ])
    #expect(
      try diagnostics("gate: {lateness: 0}") == [
        "w.yaml:1:8: note: with a lateness of 0 every late fix is dropped"
      ])
    #expect(try diagnostics("gate: {clock-jump: 12 h, memory: 2 d, lateness: 10 min}") == [])
  }

  @Test("the summary has the number of fences, their bounding box and their notifications")
  func summary() throws {
    let text = """
      device: van
      fences:
        - {id: a, polygon: [[1, 2], [3, 2], [3, 4]]}
        - {id: b, polygon: [[-1, 179], [-2, -179], [-3, 179]], notify: [exit, dwell], dwell: 60}
        - {id: c, center: [0, 10], radius: 1, decision: eager}
      visits: {minimum-stay: 10 min, radius: 60.5}
      significant-changes: false
      """
    #expect(
      try configuration(text).summary == """
        device: van
        fences: 3 (1 circle, 2 polygons)
        area: -3.00000, 2.00000 to 3.00000, -179.00000
        notify: enter 2, exit 3, dwell 1
        decision: eager 1, balanced 2
        visits: minimum-stay 10 min, radius 60.5 m
        significant-changes: off
        gate: clock-jump 1 d, memory 30 d, lateness 1 min
        """)
    #expect(
      Configuration().summary == """
        fences: none
        visits: minimum-stay 5 min, radius 50 m
        significant-changes: distance 500 m, interval 5 min
        gate: clock-jump 1 d, memory 30 d, lateness 1 min
        """)
  }
}
