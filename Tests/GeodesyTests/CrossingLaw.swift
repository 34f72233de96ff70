import Testing

@testable import Geodesy

/// What must hold for every area and way, against the exact `contains` along the geodesic.
struct CrossingLaw {
  let area: Area
  let start, end: Coordinate
  let seed: String

  /// Checks the law and, by `samples` along the way, the states between the crossings.
  ///
  /// A sample within `slack` metres of a crossing or of the edge is not judged.
  func check(samples: Int, slack: Double) -> Int {
    var fractions = [-7.0]
    area.crossings(from: start, to: end, into: &fractions)
    #expect(fractions.removeFirst() == -7, "\(seed)")
    let isInside = area.contains(start)
    let isEven = fractions.count % 2 == 0
    #expect(isEven == (isInside == area.contains(end)), "parity: \(description) \(fractions)")
    #expect(fractions.allSatisfy { (0...1).contains($0) }, "range: \(description)")
    #expect(fractions == fractions.sorted(), "order: \(description)")
    let line = GeodesicLine(from: start, to: end)
    for step in 0..<samples {
      let fraction = (Double(step) + 0.5) / Double(samples)
      let count = fractions.count { $0 < fraction }
      let place = line.coordinate(atFraction: fraction)
      let expected = (count % 2 == 0) == isInside
      if area.contains(place) != expected {
        let isNear = fractions.contains { abs($0 - fraction) * line.length < slack }
        let distance = area.signedDistance(to: place)
        #expect(isNear || abs(distance) < slack, "\(fraction): \(description) \(fractions)")
      }
    }
    return fractions.count
  }

  private var description: String { "\(seed): \(area) from \(start) to \(end)" }
}
