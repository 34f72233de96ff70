/// What the engine watches, and its limits.
public struct Rules: Sendable, Hashable, Codable {
  /// The fences.
  public var fences: FenceSet
  /// Which fixes are accepted.
  public var gate = GateLimits()
  /// How long after its last fix a device that fell silent inside a fence is taken to be still
  /// there before its dwell is reported without a fix: seconds, 120 by default.
  ///
  /// Our own choice: longer than the sampling of every tracker that reports regularly (so that a
  /// fix decides), short against any useful dwell time.
  public var dwellPatience: Double = 120
  /// Longest time between two fixes over which a fence that was passed in between is reported,
  /// seconds, 1,800 by default.
  ///
  /// Over a longer gap the straight way between them is a guess, so only a change of side is
  /// reported.
  ///
  /// Our own choice: twice the slowest sampling of trackers that report regularly (15 min).
  public var passageGap: Double = 1_800

  /// How long after its last fix a device that fell silent inside a fence is taken to be there:
  /// seconds, 30 days by default.
  ///
  /// Then its state is reported as unknown, and a stay that nobody saw for longer ends as two.
  ///
  /// Our own choice: trackers that report only when they are moved are silent for a night, a weekend
  /// or a holiday; after a month nothing says that the device is still there.
  public var memory: Double = 2_592_000
  /// What counts as a visit; nil to report no visits.
  public var visits: VisitRules?
  /// What counts as a significant change; nil to report none.
  public var significantChanges: SignificantChangeRules?

  /// Makes rules for some fences, with the usual limits and nothing else to report.
  public init(fences: FenceSet = FenceSet()) {
    self.fences = fences
  }
}

/// Limits beyond which a fix must be confirmed by the next one.
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

/// What counts as a visit.
public struct VisitRules: Sendable, Hashable, Codable {
  /// Shortest stay that is a visit, seconds; 300 by default.
  public var minimumStay: Double = 300
  /// How far from the centre of a stay the device may go without leaving, metres; 50 by default.
  public var radius: Double = 50

  /// The usual rules.
  public init() {}
}

/// What counts as a significant change of place.
public struct SignificantChangeRules: Sendable, Hashable, Codable {
  /// Distance from the position that was last reported, metres; 500 by default, as Core Location documents.
  public var distance: Double = 500
  /// Shortest time between two of them, seconds; 300 by default, as Core Location documents.
  public var interval: Double = 300

  /// The usual rules.
  public init() {}
}
