package import Geodesy
package import Tracking

/// Names the places where devices stay; several threads may use it.
package protocol PlaceNamer: Sendable {
  /// The name of the place of a stay, nil while it is unknown.
  ///
  /// It is called when the stay is reported and again when it ends, not at every fix.
  func name(of visit: Visit, at coordinate: Coordinate, of device: String) -> String?
}
