package import Geodesy
package import Tracking

/// Names the places where devices stay; several threads may ask.
package protocol PlaceNamer: Sendable {
  /// What the place of a stay is called, as far as that is known now; nil when it is not.
  ///
  /// It is asked when the stay is told and once more when it is over, not at any fix.
  func name(of visit: Visit, at coordinate: Coordinate, of device: String) -> String?
}
