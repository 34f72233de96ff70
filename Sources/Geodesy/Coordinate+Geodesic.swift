extension Coordinate {
  /// Distance to `other` along the WGS 84 ellipsoid, in metres.
  ///
  /// The shortest path, for any two points: coincident (0), at a pole, antipodal. Within 15 nm of
  /// GeographicLib (tested to 20 nm, the step of its printed table included).
  /// C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013) 43–55.
  /// - Complexity: O(1), some 30 trigonometric calls.
  public func distance(to other: Coordinate) -> Double {
    InverseProblem(from: self, to: other).solution().distance
  }

  /// Whether `other` is at most `reach` metres away.
  /// - Complexity: O(1); the geodesic is solved only for one that is within millimetres of `reach`, or
  ///   hundreds of kilometres away.
  public func isWithin(_ reach: Double, of other: Coordinate) -> Bool {
    if isClearlyWithin(reach, of: other) { return true }
    // On WGS 84 no degree of latitude is shorter than 110,574 m, on the equator.
    if 110_574 * abs(latitude - other.latitude) > reach { return false }
    // Right to 0.1 mm.
    let length = LocalFrame(origin: self).vector(to: other).length
    return abs(length - reach) > 1e-3 ? length < reach : distance(to: other) <= reach
  }

  /// Whether `other` is within `reach` metres by so much that the check needs no trigonometry:
  /// always true within 0.4 of it, up to 60 degrees of latitude.
  /// - Complexity: O(1).
  package func isClearlyWithin(_ reach: Double, of other: Coordinate) -> Bool {
    // No degree of latitude on WGS 84 is longer than 111 694 m (at the poles), and none of
    // longitude longer than 111 320 m (on the equator), so this sum is never too short.
    let longitudes = abs(longitude - other.longitude)
    return 111_695 * (abs(latitude - other.latitude) + min(longitudes, 360 - longitudes)) <= reach
  }

  /// Bearing to `other` at this point, degrees clockwise from true north, 0..<360.
  ///
  /// It is the initial direction of the shortest path; 0 when both points are equal. At a pole it
  /// is the limit of the bearings at points near the pole on this coordinate's meridian.
  /// - Complexity: O(1), as ``distance(to:)``.
  /// - Complexity: O(1), as ``distance(to:)``.
  public func bearing(to other: Coordinate) -> Double {
    let solution = InverseProblem(from: self, to: other).solution()
    return solution.distance == 0 ? 0 : solution.azimuth1.bearing
  }

  /// The point reached from here along a geodesic.
  ///
  /// - Parameters:
  ///   - bearing: Initial direction, degrees clockwise from true north; any finite number.
  ///   - distance: Metres, any finite number; a negative one goes backwards.
  /// - Returns: The point, its longitude in −180...180; within 15 nm of GeographicLib.
  /// - Complexity: O(1), some 20 trigonometric calls.
  public func destination(bearing: Double, distance: Double) -> Coordinate {
    let (sine, cosine) = Angle.sinCos(bearing.remainder(dividingBy: 360))
    let azimuth = UnitVector(sin: sine, cos: cosine)
    return Geodesic(start: self, azimuth: azimuth).position(at: distance).coordinate
  }
}

extension UnitVector {
  /// The angle as a bearing, degrees, 0..<360.
  var bearing: Double {
    let degrees = Angle.atan2(sin, cos)
    guard degrees < 0 else { return degrees + 0 }
    // A tiny negative angle would round up to 360.
    let turned = degrees + 360
    return turned < 360 ? turned : 0
  }
}
