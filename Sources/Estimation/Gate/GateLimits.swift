package import Geodesy

/// Limits beyond which a fix must be confirmed by the next one.
///
/// Docs/Decisions/0004-the-gate.md has how they were chosen.
public struct GateLimits: Sendable, Hashable, Codable {
  /// Fastest motion accepted at once, metres per second: 400, above any airliner with the jet
  /// stream behind it (about 370 m/s over ground).
  public var speed: Double = 400
  /// How far two fixes may lie apart whatever the time between them, metres: 100, so the
  /// noise of several fixes a second is no position jump.
  public var slack: Double = 100
  /// Longest step in time accepted at once, seconds: one day.
  ///
  /// A longer step forwards waits for the next fix, which confirms it unless it goes back, and one
  /// that is the device's rhythm (at most four times the step before) does not wait. A longer step
  /// backwards is a clock jump when the next fix confirms it.
  ///
  /// A receiver that lost its date (a GPS week rollover is 1,024 weeks) jumps further; one that is
  /// late does not.
  public var clockJump: Double = 86_400
  /// How much earlier than the last one a fix may be and still be put in its place, seconds: 60, and
  /// at least 16 and at most 32 fixes.
  ///
  /// Our own choice: radio and batching delay fixes by seconds; what is later changes no estimate.
  public var lateness: Double = 60
  /// Longest confirmed step forwards that counts as a silence and not as a clock jump, seconds: ten
  /// years.
  ///
  /// A tracker may lie in a drawer for years; a receiver that lost its date is off by 19.6 years.
  public var silence: Double = 315_576_000

  /// The usual limits.
  public init() {}
}

extension GateLimits {
  /// Whether a device may get from one position to another in so many seconds.
  package func allow(_ start: Coordinate, to end: Coordinate, in elapsed: Double) -> Bool {
    start.isWithin(speed * elapsed + slack, of: end)
  }
}
