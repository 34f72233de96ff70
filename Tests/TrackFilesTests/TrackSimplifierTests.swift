import Estimation
import Geodesy
import TestSupport
import Testing
import TrackFiles

@Suite("Simplified tracks")
struct TrackSimplifierTests {
  private func fix(_ seconds: Int, _ latitude: Double, _ longitude: Double) -> Fix {
    Fix(
      time: Timestamp(nanoseconds: Int64(seconds) * 1_000_000_000),
      coordinate: Coordinate(latitude: latitude, longitude: longitude))
  }

  /// A random walk: rests with noise, straight ways, turns, jumps back.
  private func walk(_ seed: UInt64) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    var place = Coordinate(
      latitude: .random(in: -80...80, using: &random),
      longitude: .random(in: -180...180, using: &random))
    var course = Double.random(in: 0..<360, using: &random)
    var step = 10.0
    return (0..<400).map { index in
      if Int.random(in: 0..<20, using: &random) == 0 {
        course += .random(in: -180...180, using: &random)
        step = [0, 1, 10, 100, 5_000].randomElement(using: &random) ?? 1
      }
      place = place.destination(bearing: course, distance: step)
      let noise = place.destination(
        bearing: .random(in: 0..<360, using: &random),
        distance: .random(in: 0...4, using: &random))
      return fix(index, noise.latitude, noise.longitude)
    }
  }

  /// The distance from a place to a geodesic, by its shortest sampled part.
  private func distance(_ place: Coordinate, _ a: Coordinate, _ b: Coordinate) -> Double {
    let length = a.distance(to: b)
    guard length > 0 else { return a.distance(to: place) }
    let line = GeodesicLine(from: a, to: b)
    var (low, high) = (0.0, 1.0)
    // The distance along a short line has one minimum.
    for _ in 0..<100 {
      let (x, y) = (low + (high - low) / 3, high - (high - low) / 3)
      let (p, q) = (line.coordinate(atFraction: x), line.coordinate(atFraction: y))
      if p.distance(to: place) < q.distance(to: place) { high = y } else { low = x }
    }
    return line.coordinate(atFraction: (low + high) / 2).distance(to: place)
  }

  @Test("no fix lies farther from the line than the limit", arguments: 1...20, [1.0, 10, 300])
  func bound(seed: UInt64, limit: Double) throws {
    let fixes = walk(seed)
    let kept = TrackSimplifier(limit: limit).simplify(fixes)
    #expect(kept.first == fixes.first && kept.last == fixes.last)
    #expect(kept.count < fixes.count, "seed \(seed)")
    var place = 0
    for (a, b) in zip(kept, kept.dropFirst()) {
      while let time = b.time, let own = fixes[place].time, own < time {
        let off = distance(fixes[place].coordinate, a.coordinate, b.coordinate)
        #expect(off <= limit * 1.001 + 0.001, "seed \(seed), fix \(place)")
        place += 1
      }
    }
  }

  @Test("a straight line keeps its ends, also along the equator and over the antimeridian")
  func straight() {
    let fixes = (0...1_000).map { index in
      let longitude = 179 + Double(index) / 500
      return fix(index, 0, longitude > 180 ? longitude - 360 : longitude)
    }
    #expect(TrackSimplifier(limit: 1).simplify(fixes).count == 2)
  }

  @Test("the end of a way out and back on one line is kept")
  func outAndBack() {
    let way = (0...100).map { 0.001 * Double($0) } + (0..<100).map { 0.1 - 0.001 * Double($0) }
    let fixes = way.enumerated().map { fix($0, 10, 20 + $1) }
    let kept = TrackSimplifier(limit: 10).simplify(fixes)
    #expect(kept.count == 3)
    #expect(kept[1].coordinate.longitude == 20.1)
  }

  @Test("one or two fixes stay, and so does a rest within the limit by its ends")
  func short() {
    let rest = (0..<50).map { fix($0, 10 + 0.00001 * Double($0 % 3), 20) }
    let simplifier = TrackSimplifier(limit: 5)
    #expect(simplifier.simplify([]).isEmpty)
    #expect(simplifier.simplify(Array(rest.prefix(1))) == Array(rest.prefix(1)))
    #expect(simplifier.simplify(Array(rest.prefix(2))) == Array(rest.prefix(2)))
    #expect(simplifier.simplify(rest).count == 2)
  }
}
