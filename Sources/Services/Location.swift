package import Tracking

/// A fix as a client receives it.
package struct Location: Sendable, Hashable, Codable {
  /// The origin of a fix.
  package enum Origin: Sendable, Hashable, Codable {
    /// A recording, or a test.
    case simulation
    /// A receiver behind gpsd.
    case receiver
  }

  package var fix: Fix
  package var origin: Origin
  /// The radius of the cell, metres, if the position is coarse; nil at full accuracy.
  package var cellRadius: Double?

  package init(_ fix: Fix, from origin: Origin) {
    self.fix = fix
    self.origin = origin
  }
}
