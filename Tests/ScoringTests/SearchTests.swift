import TestSupport
import Testing

@testable import Scoring

/// The searches that scoring needs, against a look at everything.
@Suite("Searches of scores")
struct SearchTests {
  @Test("the periods that overlap another are those of a search of all", arguments: 1...20)
  func periods(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func period() -> Period {
      let start = Double(Int.random(in: 0..<300, using: &random))
      // Some lengths are negative, as those of invalid stays are.
      return Period(start: start, end: start + Double(Int.random(in: -5...40, using: &random)))
    }
    let periods = (0..<Int.random(in: 0...200, using: &random)).map { _ in period() }
    let index = PeriodIndex(periods)
    for _ in 0..<100 {
      let sought = period()
      let expected = periods.indices.filter {
        periods[$0].start <= sought.end && periods[$0].end >= sought.start
      }
      #expect(index.overlapping(sought) == expected, "seed \(seed)")
    }
  }

  @Test("the first point that is far enough is that of a search of all", arguments: 1...20)
  func farPoints(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var position = (latitude: 10.0 * Double(seed) - 100, longitude: 179.99)
    let points = (0..<Int.random(in: 0...700, using: &random)).map { index in
      position.latitude += Double.random(in: -0.002...0.002, using: &random)
      position.longitude += Double.random(in: -0.002...0.002, using: &random)
      return Truth.TrackPoint(
        time: Double(index / 2),
        position: SphericalPosition(
          latitude: position.latitude,
          longitude: position.longitude.remainder(dividingBy: 360)))
    }
    let track = TrueTrack(points.shuffled(using: &random).sorted { $0.time < $1.time })
    for _ in 0..<100 {
      let start = Double.random(in: -5...360, using: &random)
      let metres = Double.random(in: 0...3_000, using: &random)
      guard let from = track.points.randomElement(using: &random)?.position else { continue }
      let expected = track.points.first {
        $0.time >= start && $0.position.flatDistance(to: from) >= metres
      }
      let found = track.firstPoint(from: start, atLeast: metres, from: from)
      #expect(found?.time == expected?.time, "seed \(seed)")
      #expect(found?.position == expected?.position, "seed \(seed)")
      let end = start + Double.random(in: -5...50, using: &random)
      let between = track.points.filter { $0.time >= start && $0.time < end }.map(\.position)
      #expect(track.points(from: start, until: end).map(\.position) == between, "seed \(seed)")
    }
  }

  @Test("a track whose points are not in order is put in order")
  func disordered() {
    let points = [60.0, 0, 120].map { time in
      Truth.TrackPoint(
        time: time, position: SphericalPosition(latitude: time / 60, longitude: 0))
    }
    #expect(TrueTrack(points).position(at: 90)?.latitude == 1.5)
  }
}
