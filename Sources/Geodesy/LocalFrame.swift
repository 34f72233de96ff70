internal import Glibc

/// Metres east and north around a point: the azimuthal equidistant projection.
///
/// The length of a vector is the geodesic distance from the origin and its direction the bearing at
/// the origin, so a straight line through the origin is a geodesic. A straight line of length L
/// that passes the origin at the distance h deviates from a geodesic by L² h / (12 R²): 1 mm for 10
/// km at 5 km.
///
/// Where ``errorBound(distance:latitude:)`` is at most 0.1 mm (about 85 km at 45 degrees of
/// latitude, 35 km at 80), vectors are computed without trigonometry by Gauss's formulas for the
/// middle latitude to third order. The tests compare their coefficients with the exact geodesic.
/// Elsewhere, and above 85 degrees, the exact geodesic is used.
public struct LocalFrame: Sendable {
  /// The point that has the vector (0, 0).
  public let origin: Coordinate
  private let metric: MiddleLatitude

  /// Makes a frame around `origin`.
  public init(origin: Coordinate) {
    self.origin = origin
    metric = MiddleLatitude(origin.latitude)
  }

  /// Largest error of ``vector(to:)`` that is accepted before the exact geodesic is used, metres.
  private static var tolerance: Double { 1e-4 }

  /// The vector from the origin to `coordinate`, metres.
  /// - Complexity: O(1); near points take no trigonometric call.
  public func vector(to coordinate: Coordinate) -> Vector {
    let north = (coordinate.latitude - origin.latitude) * Angle.radian
    let east = Angle.wrapped(coordinate.longitude - origin.longitude) * Angle.radian
    if MiddleLatitude.covers(north: north, east: east) {
      let vector = metric.vector(north: north, east: east)
      if metric.isExact(vector) || metric.errorBound(vector.length) <= Self.tolerance {
        return vector
      }
    }
    let solution = InverseProblem(from: origin, to: coordinate).solution()
    return Vector(
      x: solution.distance * solution.azimuth1.sin, y: solution.distance * solution.azimuth1.cos)
  }

  /// The vectors from the origin to two points, each equal to the result of ``vector(to:)``.
  /// - Complexity: O(1); to near points both take hardly longer than one.
  package func vectors(to first: Coordinate, _ second: Coordinate) -> (Vector, Vector) {
    let north = SIMD2(first.latitude, second.latitude) - origin.latitude
    let east = SIMD2(
      Angle.wrapped(first.longitude - origin.longitude),
      Angle.wrapped(second.longitude - origin.longitude))
    let (y, x) = (north * Angle.radian, east * Angle.radian)
    if MiddleLatitude.covers(north: y[0], east: x[0]),
      MiddleLatitude.covers(north: y[1], east: x[1])
    {
      let vectors = metric.vectors(north: y, east: x)
      let one = Vector(x: vectors.x[0], y: vectors.y[0])
      let other = Vector(x: vectors.x[1], y: vectors.y[1])
      if metric.isExact(one), metric.isExact(other) { return (one, other) }
    }
    return (vector(to: first), vector(to: second))
  }

  /// The point at `vector` from the origin; the inverse of ``vector(to:)`` to 10 nm.
  /// - Complexity: O(1).
  public func coordinate(at vector: Vector) -> Coordinate {
    let distance = vector.length
    guard distance > 0 else { return origin }
    let bound = metric.errorBound(distance)
    // Half the tolerance, so the point found is in the same regime on the way back.
    if bound <= Self.tolerance / 2, let near = stepwiseCoordinate(at: vector) { return near }
    let azimuth = UnitVector(normalizing: vector.x, vector.y)
    return Geodesic(start: origin, azimuth: azimuth).position(at: distance).coordinate
  }

  /// The point at `vector` from the origin to 0.1 mm, for vectors of up to some 15 km, without
  /// iteration.
  ///
  /// Legendre's series to third order (G. Bomford, Geodesy, 4th ed., 1980, section 2.15; the terms
  /// of third order without the flattening). The neglected terms are below `2 d⁴ (1 + |tan φ|)³ /
  /// R³`. Where that exceeds 0.1 mm, one correction leaves `d (1 + |tan φ|) / R` of it. Where that
  /// exceeds 0.1 mm too, the result is ``coordinate(at:)``.
  /// - Complexity: O(1), arithmetic alone.
  public func nearCoordinate(at vector: Vector) -> Coordinate {
    let (s, c) = (metric.sine, metric.cosine)
    let square = vector.squaredLength
    let steep = (c + abs(s)) * square
    var (north, east) = legendre(vector)
    // 2 d⁴ (c + |s|)³ / (c³ R³) < 1e-4, with 1 <= c + |s| <= √2; never at a pole, where c is 0.
    if steep * square * 5.7e4 * 1.42 < Self.cubedRadius * c * c * c {
      return coordinate(north: north, east: east)
    }
    // The same times d (c + |s|) / (c R).
    let relative = vector.length * (1 / Ellipsoid.polarRadius)
    guard steep * square * 5.7e4 * 1.42 * relative * 1.42 < Self.cubedRadius * c * c * c * c else {
      return coordinate(at: vector)
    }
    let (reached, radii) = (metric.vector(north: north, east: east), metric.radii)
    north += (vector.y - reached.y) / radii.meridian
    east += (vector.x - reached.x) / radii.parallel
    return coordinate(north: north, east: east)
  }

  /// A point by its differences from the origin, radians.
  private func coordinate(north: Double, east: Double) -> Coordinate {
    Coordinate(
      latitude: origin.latitude + north / Angle.radian,
      longitude: Angle.wrapped(origin.longitude + east / Angle.radian))
  }

  /// Legendre's series to third order: the differences of latitude and longitude, radians.
  @inline(__always)
  private func legendre(_ vector: Vector) -> (north: Double, east: Double) {
    let (s, c) = (metric.sine, metric.cosine)
    let w2 = 1 / (1 - Ellipsoid.eccentricitySquared * s * s)
    let inverseNormal = 1 / (Ellipsoid.equatorialRadius * w2.squareRoot())
    // V² = N / M.
    let v2 = (1 - Ellipsoid.eccentricitySquared * s * s) / (1 - Ellipsoid.eccentricitySquared)
    let (u, v) = (vector.y * inverseNormal, vector.x * inverseNormal)
    let t = s / c
    let eta = v2 - 1
    let (t2, u2, v2nd) = (t * t, u * u, v * v)
    let north =
      v2 * (u - t * (v2nd + 3 * eta * u2) * 0.5 - (1 + 3 * t2) * u * v2nd * (1 / 6))
    let east = v * (1 + t * u - t2 * v2nd * (1 / 3) + (1 + 3 * t2) * u2 * (1 / 3)) / c
    return (north, east)
  }

  /// Cube of the polar radius, cubic metres.
  private static var cubedRadius: Double {
    Ellipsoid.polarRadius * Ellipsoid.polarRadius * Ellipsoid.polarRadius
  }

  /// The angle of this map's north clockwise from true north at a point near its origin, degrees:
  /// the convergence of the meridians to first order.
  public func convergence(at coordinate: Coordinate) -> Double {
    Angle.wrapped(coordinate.longitude - origin.longitude) * metric.sine
  }

  /// Corrects the initial estimate from Legendre's series by its residual; each round gains two
  /// digits or more.
  private func stepwiseCoordinate(at vector: Vector) -> Coordinate? {
    let radii = metric.radii
    var (north, east) = legendre(vector)
    for _ in 0..<16 {
      guard MiddleLatitude.covers(north: north, east: east) else { return nil }
      let reached = metric.vector(north: north, east: east)
      let missing = Vector(x: vector.x - reached.x, y: vector.y - reached.y)
      if missing.squaredLength < 1e-20 + vector.squaredLength * 1e-32 { break }
      north += missing.y / radii.meridian
      east += missing.x / radii.parallel
    }
    return coordinate(north: north, east: east)
  }

  /// Upper bound of the error of a vector computed without trigonometry, metres.
  ///
  /// `10 nm + d⁴ / (3000 R³) + d⁵ (1 + tan² φ)² / (400 R⁴)`: the forms of the first neglected terms
  /// (the flattening's and the sphere's), the factors by measurement. Tests compare it with the
  /// exact geodesic; it leaves a factor of 2 or more. Infinite above 85 degrees and where d (1 +
  /// |tan φ|) exceeds 1/20 of the Earth's radius.
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
