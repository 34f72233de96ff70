package import Geodesy

/// A circle that a program has asked to be told about.
package struct Region: Sendable, Hashable, Codable {
  /// The key: a region with the identifier of another takes its place.
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
