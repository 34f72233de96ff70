internal import Glibc

/// The crossings of a path with a circle, by exact geodesics.
struct CircleIntersection {
  let circle: Circle
  let line: GeodesicLine

  /// Error along the path at which the search for a crossing ends, metres.
  private static var tolerance: Double { 1e-4 }
  /// Below this radius a circle is convex on any ellipsoid like the Earth (a quarter of a
  /// meridian is 10 002 km).
  private static var convexRadius: Double { 9e6 }

  /// Appends the crossings: one when the ends differ, else none or two.
  func crossings(
    _ isInsideA: Bool, _ isInsideB: Bool, into fractions: inout [Double]
  ) {
    if isInsideA != isInsideB {
      fractions.append(edge(0, 1))
    } else if let turn = turningPoint(isInside: isInsideA) {
      fractions.append(edge(0, turn))
      fractions.append(edge(turn, 1))
    }
  }

  /// Metres outside the edge at a fraction of the path.
  private func excess(_ fraction: Double) -> Double {
    circle.center.distance(to: line.coordinate(atFraction: fraction)) - circle.radius
  }

  /// How fast the path leaves the centre, −1...1 (the cosine of the angle between them).
  private func recession(_ fraction: Double) -> Double {
    let (coordinate, azimuth) = line.position(atFraction: fraction)
    let solution = InverseProblem(from: circle.center, to: coordinate).solution()
    return azimuth.cos * solution.azimuth2.cos + azimuth.sin * solution.azimuth2.sin
  }

  /// Where the path is deepest on the other side of the edge, nil when it stays on its side.
  ///
  /// Along less than half a great circle the distance from a point has at most one turning point.
  private func turningPoint(isInside: Bool) -> Double? {
    if isInside && circle.radius < Self.convexRadius { return nil }
    let (atStart, atEnd) = (recession(0), recession(1))
    guard isInside ? (atStart > 0 && atEnd < 0) : (atStart < 0 && atEnd > 0) else { return nil }
    let turn = root(0, 1, atStart, atEnd, recession)
    let depth = excess(turn)
    return (isInside ? depth > 0 : depth < 0) ? turn : nil
  }

  /// The crossing between two fractions on different sides of the edge.
  private func edge(_ low: Double, _ high: Double) -> Double {
    root(low, high, excess(low), excess(high), excess)
  }

  /// A zero of `value` between `low` and `high`, where it has the signs of `atLow` and `atHigh`.
  ///
  /// Regula falsi finds it; a nudge to the farther side closes the bracket from there, and a
  /// bisection after each step that did not halve the bracket bounds the count.
  private func root(
    _ low: Double, _ high: Double, _ atLow: Double, _ atHigh: Double,
    _ value: (Double) -> Double
  ) -> Double {
    var (low, high, atLow, atHigh) = (low, high, atLow, atHigh)
    let width = line.length > 0 ? Self.tolerance / line.length : 1
    let isRising = atHigh > atLow
    func narrow(at fraction: Double) {
      let result = value(fraction)
      if (result > 0) == isRising {
        (high, atHigh) = (fraction, result)
      } else {
        (low, atLow) = (fraction, result)
      }
    }
    for _ in 0..<64 where high - low > width {
      let before = high - low
      let secant = low - atLow * (high - low) / (atHigh - atLow)
      let nudge = secant - low < high - secant ? width / 3 : -width / 3
      let guess = secant + nudge
      narrow(at: guess > low && guess < high ? guess : low + before / 2)
      if high - low > before / 2 { narrow(at: low + (high - low) / 2) }
    }
    return low + (high - low) / 2
  }
}
