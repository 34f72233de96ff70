package import Geodesy

/// A circle that a program monitors.
package struct Region: Sendable, Hashable, Codable {
  /// The key: a region replaces another one with the same identifier.
  package var identifier: String
  package var center: Coordinate
  /// Metres.
  package var radius: Double
  package var notifiesOnEntry = true
  package var notifiesOnExit = true

  package init(identifier: String, center: Coordinate, radius: Double) {
    self.identifier = identifier
    self.center = center
    self.radius = radius
  }
}
