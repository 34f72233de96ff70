internal import Geodesy

/// Measures the steps of a device on a flat map that follows it.
///
/// Within ``reach`` of the map's origin the scale is wrong by at most `(reach / R)² / 6`, 2e-8, so a
/// step is right to 0.1 mm (``LocalFrame``). A longer one is the exact geodesic.
struct Odometer: Sendable {
  private var frame: LocalFrame
  private var coordinate: Coordinate
  private var position = Vector(x: 0, y: 0)

  /// Metres.
  private static let reach = 2_000.0

  /// A device at its first position.
  init(at coordinate: Coordinate) {
    self.coordinate = coordinate
    frame = LocalFrame(origin: coordinate)
  }

  /// Moves on; returns the length of the step, metres.
  mutating func move(to next: Coordinate) -> Double {
    defer { coordinate = next }
    let reached = frame.vector(to: next)
    guard reached.squaredLength <= Self.reach * Self.reach else {
      (frame, position) = (LocalFrame(origin: next), Vector(x: 0, y: 0))
      return coordinate.distance(to: next)
    }
    defer { position = reached }
    return Vector(x: reached.x - position.x, y: reached.y - position.y).length
  }
}
