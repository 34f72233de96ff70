internal import Glibc

/// All points within `radius` metres of `center` along the ellipsoid; the edge belongs to it.
public struct Circle: Sendable {
  /// The middle.
  public let center: Coordinate
  /// Geodesic radius in metres, above 0.
  public let radius: Double

  /// No point of the circle is farther from the centre, degrees.
  private let latitudeReach: Double
  package let longitudeReach: Double
  private let metric: MiddleLatitude
  /// Error of the metric's distance near the edge, metres; infinite where the metric must not be
  /// used.
  private let margin: Double

  /// Makes a circle around a valid coordinate; it contains nothing unless its radius is above 0.
  /// - Complexity: O(1), about the cost of two geodesics.
  public init(center: Coordinate, radius: Double) {
    self.init(
      center: center, radius: radius,
      longitudeReach: Box.longitudeReach(metres: radius, latitude: center.latitude))
  }

  /// Makes a circle whose reach in longitude is already known.
  ///
  /// - Parameter longitudeReach: Degrees; no point of the circle is farther from the centre.
  /// - Complexity: O(1), a sine and a cosine.
  package init(center: Coordinate, radius: Double, longitudeReach: Double) {
    self.center = center
    self.radius = radius
    self.longitudeReach = longitudeReach
    metric = MiddleLatitude(center.latitude)
    latitudeReach = Self.latitudeReach(radius)
    let isNear = MiddleLatitude.covers(
      north: latitudeReach * Angle.radian, east: longitudeReach * Angle.radian)
    // The corners of the box are within 1.5 radii.
    margin = isNear ? metric.errorBound(1.5 * radius) : .infinity
  }

  /// Whether the geodesic distance of `coordinate` from the centre is at most the radius.
  ///
  /// Equal to the decision of the exact ``Coordinate/distance(to:)`` for every point; that is
  /// computed only where the error of the fast metric allows both answers.
  /// - Complexity: O(1); without trigonometry for circles to some 100 km, unless the point is
  ///   within micrometres of the edge or the centre is above 85 degrees.
  public func contains(_ coordinate: Coordinate) -> Bool {
    let north = coordinate.latitude - center.latitude
    guard abs(north) <= latitudeReach, radius > 0 else { return false }
    let east = abs(coordinate.longitude - center.longitude)
    let way = east > 180 ? 360 - east : east
    guard way >= 0 && way <= longitudeReach else { return false }
    if margin < .infinity {
      let square = metric.squaredDistance(north: north * Angle.radian, east: way * Angle.radian)
      let (inner, outer) = (radius - margin, radius + margin)
      if inner > 0 && square <= inner * inner { return true }
      if square > outer * outer { return false }
    }
    return containsExactly(coordinate, east: way)
  }

  /// The vector from the centre to `coordinate` by the fast metric, nil when it is too far for it.
  func nearVector(to coordinate: Coordinate) -> Vector? {
    let north = (coordinate.latitude - center.latitude) * Angle.radian
    let east = Angle.wrapped(coordinate.longitude - center.longitude) * Angle.radian
    guard MiddleLatitude.covers(north: north, east: east) else { return nil }
    return metric.vector(north: north, east: east)
  }

  /// The distance of `coordinate` from the centre to 0.1 mm.
  func centerDistance(to coordinate: Coordinate) -> Double {
    guard let vector = nearVector(to: coordinate) else { return center.distance(to: coordinate) }
    let distance = vector.length
    return frameError(distance) <= 1e-4 ? distance : center.distance(to: coordinate)
  }

  /// The error of ``nearVector(to:)`` at a distance, metres.
  func frameError(_ distance: Double) -> Double { metric.errorBound(distance) }

  /// The decision on the auxiliary sphere where it is safe, else by the exact geodesic.
  ///
  /// A path of the arc σ on the sphere of reduced latitudes is b σ to a σ long (see
  /// ``Box/longitudeReach(metres:latitude:)``), to which a rounding error is added.
  private func containsExactly(_ coordinate: Coordinate, east: Double) -> Bool {
    if margin == .infinity && radius > 1000 {
      let (beta1, beta2) = (ReducedLatitude(center.latitude), ReducedLatitude(coordinate.latitude))
      let sine = sin(east * Angle.radian / 2)
      let half = sin((atan2(beta2.sin, beta2.cos) - atan2(beta1.sin, beta1.cos)) / 2)
      let haversine = half * half + beta1.cos * beta2.cos * sine * sine
      let arc = 2 * asin(min(1, haversine.squareRoot()))
      if arc * Ellipsoid.equatorialRadius <= radius * (1 - 1e-6) { return true }
      if arc * Ellipsoid.polarRadius > radius * (1 + 1e-6) { return false }
    }
    return center.distance(to: coordinate) <= radius
  }

  /// A box that contains the circle, wider than needed by less than 1 %; all longitudes when the
  /// circle reaches a pole.
  /// - Complexity: O(1), comparisons only.
  public var boundingBox: Box {
    Self.boundingBox(center: center, radius: radius, longitudeReach: longitudeReach)
  }

  /// The same for a centre and a reach.
  package static func boundingBox(
    center: Coordinate, radius: Double, longitudeReach: Double
  ) -> Box {
    let reach = latitudeReach(radius)
    let (south, north) = (center.latitude - reach, center.latitude + reach)
    guard longitudeReach < 180 else {
      return Box(south: max(-90, south), west: -180, north: min(90, north), east: 180)
    }
    return Box(
      south: max(-90, south), west: Angle.wrapped(center.longitude - longitudeReach),
      north: min(90, north), east: Angle.wrapped(center.longitude + longitudeReach))
  }

  /// Degrees of latitude that the radius spans, plus 0.1 mm.
  private static func latitudeReach(_ radius: Double) -> Double {
    radius / Ellipsoid.leastLatitudeDegree + 1e-9
  }
}

extension Circle: Hashable {
  /// Whether both have the same centre and radius.
  public static func == (a: Circle, b: Circle) -> Bool {
    a.center == b.center && a.radius == b.radius
  }

  /// Hashes the centre and the radius.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(center)
    hasher.combine(radius)
  }
}

extension Circle: Codable {
  private enum CodingKeys: CodingKey {
    case center, radius
  }

  /// Reads the centre and the radius.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      center: try container.decode(Coordinate.self, forKey: .center),
      radius: try container.decode(Double.self, forKey: .radius))
  }

  /// Writes the centre and the radius.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(center, forKey: .center)
    try container.encode(radius, forKey: .radius)
  }
}
