internal import Glibc

/// Metres east and north around a point: the azimuthal equidistant map.
///
/// The length of a vector is the geodesic distance from the origin and its direction the bearing
/// at the origin, so that a straight line through the origin is a geodesic. A straight line of
/// length L that passes the origin at the distance h is one to L² h / (12 R²): 1 mm for 10 km at
/// 5 km.
///
/// Within ``errorBound(distance:latitude:)`` of 0.1 mm (about 85 km at 45 degrees of latitude,
/// 35 km at 80) vectors are made without trigonometry by Gauss's formulas for the middle latitude
/// to third order, whose coefficients the tests hold against the exact geodesic; elsewhere, and
/// above 85 degrees, by the exact geodesic.
public struct LocalFrame: Sendable {
  /// The point that has the vector (0, 0).
  public let origin: Coordinate
  private let metric: MiddleLatitude

  /// Makes a frame around `origin`.
  public init(origin: Coordinate) {
    self.origin = origin
    metric = MiddleLatitude(origin.latitude)
  }

  /// Largest error of ``vector(to:)`` that is taken before the exact geodesic is asked, metres.
  private static var tolerance: Double { 1e-4 }

  /// The vector from the origin to `place`, metres.
  /// - Complexity: O(1); near places take no trigonometric call.
  public func vector(to place: Coordinate) -> Vector {
    let north = (place.latitude - origin.latitude) * Angle.radian
    let east = Angle.wrapped(place.longitude - origin.longitude) * Angle.radian
    if MiddleLatitude.covers(north: north, east: east) {
      let vector = metric.vector(north: north, east: east)
      let bound = metric.errorBound(vector.length)
      if bound <= Self.tolerance { return vector }
    }
    let solution = InverseProblem(from: origin, to: place).solution()
    return Vector(
      x: solution.distance * solution.azimuth1.sin, y: solution.distance * solution.azimuth1.cos)
  }

  /// The place at `vector` from the origin; the inverse of ``vector(to:)`` to 10 nm.
  /// - Complexity: O(1).
  public func coordinate(at vector: Vector) -> Coordinate {
    let distance = vector.length
    guard distance > 0 else { return origin }
    let bound = metric.errorBound(distance)
    // Half the tolerance, so that the place found is in the same regime on the way back.
    if bound <= Self.tolerance / 2, let near = nearCoordinate(at: vector) { return near }
    let azimuth = UnitVector(normalizing: vector.x, vector.y)
    return Geodesic(start: origin, azimuth: azimuth).position(at: distance).coordinate
  }

  /// Corrects a first guess by what it misses; each round gains two digits or more.
  private func nearCoordinate(at vector: Vector) -> Coordinate? {
    let radii = metric.radii
    var (north, east) = (0.0, 0.0)
    var missing = vector
    for _ in 0..<16 {
      north += missing.y / radii.meridian
      east += missing.x / radii.parallel
      guard MiddleLatitude.covers(north: north, east: east) else { return nil }
      let reached = metric.vector(north: north, east: east)
      missing = Vector(x: vector.x - reached.x, y: vector.y - reached.y)
      if missing.squaredLength < 1e-20 + vector.squaredLength * 1e-32 { break }
    }
    return Coordinate(
      latitude: origin.latitude + north / Angle.radian,
      longitude: Angle.wrapped(origin.longitude + east / Angle.radian))
  }

  /// How far off a vector without trigonometry may be, metres.
  ///
  /// `10 nm + d⁴ / (3000 R³) + d⁵ (1 + tan² φ)² / (400 R⁴)`: the forms of the first neglected terms
  /// (the flattening's and the sphere's), the factors by measurement: tests hold it against the
  /// exact geodesic, and it leaves a factor of 2 or more. Infinite above 85 degrees and where
  /// d (1 + |tan φ|) exceeds 1/20 of the Earth's radius.
  /// - Parameters:
  ///   - distance: From the origin, metres.
  ///   - latitude: Of the origin, degrees.
  public static func errorBound(distance: Double, latitude: Double) -> Double {
    let (sine, cosine) = Angle.sinCos(latitude)
    return MiddleLatitude(sine: sine, cosine: cosine).errorBound(distance)
  }
}

extension LocalFrame: Hashable, Codable {
  private enum Key: String, CodingKey { case origin }

  /// Whether both have the same origin.
  public static func == (a: Self, b: Self) -> Bool { a.origin == b.origin }

  /// Hashes the origin.
  public func hash(into hasher: inout Hasher) { hasher.combine(origin) }

  /// Reads the origin.
  public init(from decoder: any Decoder) throws {
    try self.init(
      origin: decoder.container(keyedBy: Key.self).decode(Coordinate.self, forKey: .origin))
  }

  /// Writes the origin.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(origin, forKey: .origin)
  }
}
