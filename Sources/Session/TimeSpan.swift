package import Tracking

/// The part of a trace to play: from one time to another, both included.
package struct TimeSpan: Sendable, Hashable {
  /// Nil for no bound.
  package var from: Timestamp?
  package var until: Timestamp?

  package init(from: Timestamp? = nil, until: Timestamp? = nil) {
    self.from = from
    self.until = until
  }

  /// Whether a fix of this time is played; one without a time always is.
  package func contains(_ time: Timestamp?) -> Bool {
    guard let time else { return true }
    if let from, time < from { return false }
    if let until, time > until { return false }
    return true
  }
}
