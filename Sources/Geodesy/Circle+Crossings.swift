extension Circle {
  /// See ``Area/crossings(from:to:into:)``.
  func crossings(from a: Coordinate, to b: Coordinate, into fractions: inout [Double]) {
    // The circle contains nothing outside its box, so both ends are outside too.
    guard Box(pathFrom: a, to: b).intersects(boundingBox) else { return }
    let (isInsideA, isInsideB) = (contains(a), contains(b))
    if let chord = chord(from: a, to: b),
      chord.crossings(isInsideA, isInsideB, into: &fractions)
    {
      return
    }
    CircleIntersection(circle: self, line: GeodesicLine(from: a, to: b))
      .crossings(isInsideA, isInsideB, into: &fractions)
  }

  /// The path as a straight line in the frame around the centre, nil when an end is too far.
  private func chord(from a: Coordinate, to b: Coordinate) -> Chord? {
    guard let start = nearVector(to: a), let end = nearVector(to: b) else { return nil }
    let bound = frameError(max(start.squaredLength, end.squaredLength).squareRoot())
    guard bound < Chord.tolerance else { return nil }
    return Chord(start: start, end: end, radius: radius, error: bound)
  }
}

/// A straight path past a circle around the origin.
struct Chord {
  private let start, path: Vector
  private let radius: Double
  /// Square of the length, dot product of start and path, and start² − radius².
  private let a, b, c: Double
  /// Distance of the whole straight line from the centre.
  private let offset: Double
  /// How far the line may be from the true path, metres.
  private let error: Double

  /// Largest accepted error along the path, metres.
  static var tolerance: Double { 5e-4 }

  init(start: Vector, end: Vector, radius: Double, error: Double) {
    self.start = start
    self.radius = radius
    path = Vector(x: end.x - start.x, y: end.y - start.y)
    a = path.squaredLength
    b = start.x * path.x + start.y * path.y
    c = start.squaredLength - radius * radius
    let length = a.squareRoot()
    offset = length > 0 ? abs(start.x * path.y - start.y * path.x) / length : start.length
    // A geodesic that passes the origin of normal coordinates at h deviates from its chord of
    // length L by L² h / (12 R²), to third order (Riemann normal coordinates). The factor leaves a
    // reserve.
    let bend = a * offset / (10 * Ellipsoid.polarRadius * Ellipsoid.polarRadius)
    self.error = error + bend
  }

  /// Appends the crossings and returns true, or returns false when the error is too large to
  /// decide.
  ///
  /// A circle this small is convex: a path between two points inside stays inside.
  func crossings(
    _ isInsideA: Bool, _ isInsideB: Bool, into fractions: inout [Double]
  ) -> Bool {
    if isInsideA && isInsideB { return true }
    let isApart = !isInsideA && !isInsideB
    if isApart && isSurelyOutside { return true }
    // The error along the path, where the line meets the edge at a flat angle.
    let half = (radius - offset) * (radius + offset)
    guard half > 0, error * radius <= Self.tolerance * half.squareRoot() else { return false }
    if isApart && !isSurelyPassing { return false }
    let root = (b * b - a * c).squareRoot()
    // This form does not cancel; the product of both roots is c / a.
    let q = b > 0 ? -(b + root) : root - b
    let (first, second) = b > 0 ? (q / a, c / q) : (c / q, q / a)
    guard first.isFinite && second.isFinite else { return false }
    if isApart || !isInsideA { fractions.append(min(1, max(0, first))) }
    if isApart || isInsideA { fractions.append(min(1, max(0, second))) }
    return true
  }

  /// Both ends are outside, and so is the nearest point between, by more than the error.
  private var isSurelyOutside: Bool {
    if offset > radius + error { return true }
    let isNearestAtStart = b >= 0
    let isNearestAtEnd = b + a <= 0
    guard isNearestAtStart || isNearestAtEnd else { return false }
    let square = isNearestAtStart ? c : c + 2 * b + a
    return square > error * (2 * radius + error)
  }

  /// The nearest point is between the ends, and inside by more than the error.
  private var isSurelyPassing: Bool { b < 0 && b + a > 0 && offset < radius - error }
}
