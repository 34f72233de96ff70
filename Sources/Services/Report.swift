package import Tracking

/// A fix as a client is told of it.
package struct Report: Sendable, Hashable, Codable {
  /// Where a fix came from.
  package enum Origin: Sendable, Hashable, Codable {
    /// A recording, or a test.
    case simulation
    /// A receiver behind gpsd.
    case receiver
  }

  package var fix: Fix
  package var origin: Origin
  /// Radius in metres of the cell to which the place was coarsened; nil when it is exact.
  package var cellRadius: Double?

  package init(_ fix: Fix, from origin: Origin) {
    self.fix = fix
    self.origin = origin
  }
}
