internal import Tracking

/// The engine of a device, for what it knew: at each fix, or in hindsight.
struct ReportEngine {
  private(set) var tracker: Tracker
  /// Nil for what was known at each fix.
  private var hindsight: HindsightTracker?
  private var events: [Event] = []
  /// How many events the fix last given had, at once.
  private(set) var eventCount = 0

  init(_ rules: Rules, hindsight: Bool) {
    tracker = Tracker(rules: rules)
    if hindsight { self.hindsight = HindsightTracker(rules: rules, observes: true) }
  }

  private var counts: GateCounts { hindsight?.counts ?? tracker.counts }

  /// How many fixes were accepted so far.
  var accepted: Int { counts.accepted }

  /// How many jumps were believed so far: nothing leads from one side of them to the other.
  var jumps: Int { counts.believedTeleports + counts.believedClockJumps }

  /// Why the fix last given was dropped; nil when it was accepted or waits for the next.
  var lastDefect: Defect? { hindsight.map(\.lastDefect) ?? tracker.lastDefect }

  /// What is known after the next fix: at it, or in hindsight at fixes before it.
  mutating func observations(after fix: Fix) -> [Observation] {
    defer {
      eventCount = events.count
      events.removeAll(keepingCapacity: true)
    }
    guard hindsight == nil else {
      hindsight?.ingest(fix, into: &events)
      return hindsight?.takeObservations() ?? []
    }
    tracker.ingest(fix, into: &events)
    guard let time = fix.time, tracker.lastTime == time, tracker.lastDefect == nil,
      let observation = tracker.observation, observation.estimate.time == time
    else { return [] }
    return [observation]
  }

  /// What is known at the rest of the fixes.
  mutating func finalObservations() -> [Observation] {
    hindsight?.finish(into: &events)
    return hindsight?.takeObservations() ?? []
  }
}
