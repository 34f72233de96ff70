package import Estimation

/// A change of a live source, which its recording has as well: a loss, or a return.
package struct SourceChange: Sendable, Hashable {
  /// What holds from then on.
  package enum Status: String, Sendable, Hashable, CaseIterable {
    /// Positions come again.
    case fix
    /// The receiver has no position.
    case noFix = "no-fix"
    /// Positions come without a time.
    case noTime = "no-time"
    /// Positions come that the engine does not use.
    case ignoring
    /// gpsd answers, but has no receiver, or none that has reported.
    case connected
    /// gpsd answers, but the receiver is silent.
    case stale
    /// gpsd is gone.
    case lost
  }

  package var status: Status
  /// Nil when no time was known yet.
  package var time: Timestamp?
  /// How long there was no position until then, seconds; nil when there was none before.
  package var duration: Double?
  /// Why, in words; nil when the status says it all.
  package var reason: String?
  /// Which change it is among those without a time, of this and of all other runs; nil for one with a
  /// time, and in recordings of earlier releases.
  package var occurrence: UInt64?

  package init(
    _ status: Status, time: Timestamp?, duration: Double? = nil, reason: String? = nil
  ) {
    (self.status, self.time, self.duration, self.reason) = (status, time, duration, reason)
  }
}
