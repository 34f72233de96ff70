/// A point of the map whose axes are longitude (unwrapped: any number) and latitude, degrees.
struct PlanePoint: Sendable {
  var x, y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The point that is `fraction` of the way to `end`.
  func interpolated(to end: PlanePoint, _ fraction: Double) -> PlanePoint {
    PlanePoint(x: x + (end.x - x) * fraction, y: y + (end.y - y) * fraction)
  }

  /// The point on the Earth.
  var coordinate: Coordinate {
    Coordinate(latitude: y, longitude: x.remainder(dividingBy: 360))
  }
}
