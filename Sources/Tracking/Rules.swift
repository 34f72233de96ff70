/// What the engine watches, and its limits.
///
/// A value that is shared by all devices of a fleet; copies are cheap, as a set of fences is shared.
/// A configuration file has the same settings: Docs/Guide.md.
public struct Rules: Sendable, Hashable, Codable {
  /// The fences.
  public var fences: FenceSet
  /// Which fixes are accepted.
  ///
  /// The usual ones suit every vehicle up to an airliner.
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
  /// Then its state is reported as unknown, and a stay with a longer silence becomes two.
  ///
  /// Our own choice: trackers that report only when they are moved are silent for a night, a weekend
  /// or a holiday; after a month the device may be anywhere.
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

/// What counts as a visit.
public struct VisitRules: Sendable, Hashable, Codable {
  /// Shortest stay that is a visit, seconds; 300 by default.
  ///
  /// A visit is reported while it lasts, as soon as the evidence is enough and 0.58 of this has
  /// passed. It is retracted when it ends earlier than this.
  public var minimumStay: Double = 300
  /// How far from the centre of a stay the device may go without leaving, metres; 50 by default.
  ///
  /// Beyond that, the device may be away for up to 300 s and come back. A fix that claims more than
  /// three radii is no evidence of a stay.
  public var radius: Double = 50

  /// The usual rules.
  public init() {}
}

/// What counts as a significant change of place.
public struct SignificantChangeRules: Sendable, Hashable, Codable {
  /// Distance from the position that was last reported, metres; 500 by default, as Core Location documents.
  public var distance: Double = 500
  /// Shortest time between two of them, seconds; 300 by default, as Core Location documents.
  ///
  /// It is trace time, like every time of the engine.
  public var interval: Double = 300

  /// The usual rules.
  public init() {}
}
