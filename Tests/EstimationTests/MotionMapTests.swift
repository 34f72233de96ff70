import Geodesy
import TestSupport
import Testing

@testable import Estimation

@Suite("Motion: the flat map goes with the device")
struct MotionMapTests {
  /// Places where maps are hard.
  static let grounds = [
    Ground(), Ground(latitude: 0, longitude: 179.99), Ground(latitude: -70, longitude: -179.999),
    Ground(latitude: 89.95, longitude: 30), Ground(latitude: -90, longitude: 0),
  ]

  /// Walks, rides and rests, with noise and gaps.
  private func journey(_ ground: Ground, _ random: inout SeededGenerator) -> [Fix] {
    let (steps, speeds) = ([1.0, 5, 20], [0.0, 1.4, 14])
    var noise = Noise(sigma: 5)
    var (east, north, seconds) = (-3_000.0, -3_000.0, 0.0)
    return (0..<400).map { index in
      let step = steps.randomElement(using: &random) ?? 1
      let speed = speeds[index / 25 % 3]
      seconds += step
      east += speed * step * 0.8
      north += speed * step * 0.6
      let error = noise.next(seconds, &random)
      return ground.fix(seconds, east + error.x, north + error.y)
    }
  }

  private func distance(_ first: Motion, _ second: Motion) throws -> Double {
    let (a, mine) = try #require(first.now)
    let (b, others) = try #require(second.now)
    let places = mine.weights.indices.map { lane in
      let (spot, other) = (mine.component(lane), others.component(lane))
      // What is too unlikely is not followed and has no place.
      guard spot.weight > 1e-6 else { return 0.0 }
      return mine.coordinate(of: spot).distance(to: others.coordinate(of: other))
    }
    return max(
      a.coordinate.distance(to: b.coordinate), abs(a.sigma - b.sigma), places.max() ?? 0)
  }

  @Test("another map changes no estimate by more than millimetres", arguments: grounds.indices)
  func anotherMap(index: Int) throws {
    let ground = Self.grounds[index]
    var random = SeededGenerator(seed: 40 + UInt64(index))
    let fixes = journey(ground, &random)
    var (motion, moved) = (Motion(), Motion())
    for (index, fix) in fixes.enumerated() {
      motion.ingest(fix)
      if index % 20 == 7 {
        moved.moveMap(
          to: fix.coordinate.destination(
            bearing: .random(in: 0..<360, using: &random),
            distance: .random(in: 0...10_000, using: &random)))
      }
      moved.ingest(fix)
      let (a, b) = (try #require(motion.estimate), try #require(moved.estimate))
      #expect(try distance(motion, moved) < 0.005, "fix \(index), seed \(random.seed)")
      #expect(abs(a.stillness - b.stillness) < 2e-4, "fix \(index), seed \(random.seed)")
    }
  }

  @Test("a map that moves loses neither late fixes nor a receiver that hangs")
  func memory() throws {
    let ground = Ground()
    var random = SeededGenerator(seed: 50)
    let fixes = journey(ground, &random)
    var motion = Motion()
    for fix in fixes[..<100] where fix != fixes[95] && fix != fixes[97] { motion.ingest(fix) }
    motion.moveMap(to: ground.place(9_000, 4_000))
    #expect(motion.insert(fixes[95]) == nil)
    #expect(motion.insert(fixes[97]) == nil)
    #expect(motion.insert(fixes[96]) == .duplicate)
    var inOrder = Motion()
    for fix in fixes[..<100] { inOrder.ingest(fix) }
    #expect(try distance(motion, inOrder) < 0.01)
    // The same place once more, across another move.
    var again = fixes[99]
    again.time = again.time?.advanced(bySeconds: 10)
    var (stayed, moved) = (inOrder, inOrder)
    moved.moveMap(to: ground.place(1_000, -4_000))
    stayed.ingest(again)
    moved.ingest(again)
    #expect(try distance(stayed, moved) < 0.01)
  }

  @Test(
    "a device that goes straight over a pole or the antimeridian is followed",
    arguments: [
      Ground(latitude: 89.9, longitude: 0), Ground(latitude: -89.9, longitude: 120),
      Ground(latitude: 10, longitude: 179.9),
    ], [false, true])
  func far(ground: Ground, tellsSpeed: Bool) throws {
    var random = SeededGenerator(seed: 60)
    var motion = Motion()
    var noise = Noise(sigma: 5)
    let bearing = ground.frame.origin.latitude < 0 ? 180.0 : 0
    let isPolar = abs(ground.frame.origin.latitude) > 80
    for time in stride(from: 0.0, through: 1_200, by: 5) {
      let error = noise.next(time, &random)
      let way = 25 * time
      func place(_ way: Double) -> Coordinate {
        ground.frame.origin.destination(bearing: isPolar ? bearing : 90, distance: way)
      }
      var fix = ground.fix(time, 0)
      fix.coordinate = place(way).destination(bearing: 90, distance: abs(error.x))
      if tellsSpeed {
        fix.speed = 25
        fix.course = GeodesicLine(from: fix.coordinate, to: place(way + 1_000)).bearing
      }
      motion.ingest(fix)
      guard time > 100 else { continue }
      let estimate = try #require(motion.estimate)
      #expect(estimate.coordinate.distance(to: place(way)) < 30, "after \(time) s")
    }
  }
}
