internal import Glibc

extension Box {
  /// A box that contains every point within `metres` of this one; all longitudes when it reaches a
  /// pole.
  ///
  /// It is a little wider than needed (0.4 %), never narrower.
  /// - Complexity: O(1), a few trigonometric calls.
  public func expanded(byMetres metres: Double) -> Box {
    // Divisions are slow; by a constant, a multiplication is as exact.
    let degrees = metres * (1 / Ellipsoid.leastLatitudeDegree) + Self.rounding
    var result = self
    result.south = max(-90, south - degrees)
    result.north = min(90, north + degrees)
    let reach = Self.longitudeReach(metres: metres, latitude: max(abs(south), abs(north)))
    if reach >= 180 || width + 2 * reach >= 360 {
      (result.west, result.east) = (-180, 180)
    } else {
      result.west = Angle.wrapped(west - reach)
      result.east = Angle.wrapped(east + reach)
    }
    return result
  }

  /// Covers the rounding of latitudes and longitudes: 0.1 mm in degrees.
  private static var rounding: Double { 1e-9 }

  /// The longitude difference, in degrees, of a point within `metres` of one at `latitude` is at
  /// most this; 180 when a pole is that near.
  ///
  /// With the reduced latitude β the ellipsoid's metric is nowhere shorter than that of the sphere
  /// of the polar radius: ds² = a²(1 − e² cos² β) dβ² + a² cos² β dλ² ≥ b² (dβ² + cos² β dλ²). On that
  /// sphere a circle of radius r reaches sin Δλ = sin (r/b) / cos β.
  static func longitudeReach(metres: Double, latitude: Double) -> Double {
    let angle = metres * (1 / Ellipsoid.polarRadius)
    if angle < 0.001, abs(latitude) < 80 {
      // The cosine of the latitude is less than that of the reduced latitude; its series is cut
      // where it is below. The arcsine of the sine of x / c is below x / c (1 + (x / c)² / 5) for
      // small x / c.
      let square = latitude * latitude * Angle.radian * Angle.radian
      let ratio = angle / (1 - square * 0.5 * (1 - square * (1 / 12) * (1 - square * (1 / 30))))
      return ratio * (1 + ratio * ratio * 0.2) * ((1 + 1e-12) / Angle.radian) + rounding
    }
    let beta = ReducedLatitude(latitude)
    guard angle < .pi / 2 else { return 180 }
    let ratio = sin(angle) / beta.cos
    return ratio >= 1 ? 180 : asin(ratio) / Angle.radian * (1 + 1e-12) + rounding
  }

  /// A box that contains the shortest path between two points.
  ///
  /// It is a little larger than needed: a path between points Δλ apart in longitude bulges towards
  /// the pole by at most Δλ²/16 radians (more than this by 12 % for 90 degrees, which the factor
  /// covers); above 90 degrees all latitudes are taken.
  /// - Complexity: O(1), comparisons and a few products only.
  public init(pathFrom a: Coordinate, to b: Coordinate) {
    var east = b.longitude - a.longitude
    let isWrapped = abs(east) > 180
    if isWrapped { east += east < 0 ? 360 : -360 }
    let isEastwards = east >= 0
    south = min(a.latitude, b.latitude)
    north = max(a.latitude, b.latitude)
    west = isEastwards ? a.longitude : b.longitude
    self.east = isEastwards ? b.longitude : a.longitude
    let bulge = east * east * Self.bulgeFactor + Self.rounding
    if abs(east) > 90 || max(north, -south) >= 90 {
      takeWidePath(width: abs(east))
    } else {
      if north > 0 { north = min(90, north + bulge) }
      if south < 0 { south = max(-90, south - bulge) }
    }
  }

  /// 1.15 / 16, from radians to degrees.
  private static var bulgeFactor: Double { 1.15 / 16 * Angle.radian }

  /// All latitudes, as the path may pass a pole; all longitudes when it may pass through one.
  private mutating func takeWidePath(width: Double) {
    (south, north) = (-90, 90)
    if width > 90 && width < 179 { return }
    (west, east) = (-180, 180)
  }
}
