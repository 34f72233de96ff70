internal import Fences
internal import Geodesy

/// The engine for one device of a recording, which decides with the fixes before and after each moment.
///
/// Its rules are those of ``Tracker``; what differs is the estimate, which is smoothed
/// (`BlockSmoother`), and how much evidence an event requires, as nothing waits for it. Visits are those
/// of a live run, which dates them from the fixes before and after already: a smoothed estimate, which
/// blends the way to a place and from it with the place, found no better ones. It emits a visit once,
/// when it is over, and none that was retracted. The time of a decision is that of the last fix that
/// was known.
///
/// It remembers 4,096 fixes at most.
///
/// Call ``ingest(_:into:)`` for each fix of the recording, and ``finish(into:)`` once at its end.
/// Docs/Accuracy.md, "Hindsight", has the method, its sources and what it gains.
package struct HindsightTracker: Sendable {
  /// A fix, or a break in the track before the next one.
  private enum Item: Sendable {
    case fix(Fix, Timestamp)
    case breakOff(Timestamp, hasNewClock: Bool)
  }

  private var tracker: Tracker
  /// The live engine that finds the visits; nil when they are not wanted.
  private var visits: Tracker?
  private var smoother = BlockSmoother()
  /// Accepted fixes that are not decided yet, by time.
  private var queue: [Item] = []
  /// The number of them at which to decide some.
  private var limit = Self.block
  /// The last decided fix, and that of them which was no repetition; nil after a break.
  private var heard: Fix?
  private var previous: Fix?
  /// The visit that goes on.
  private var visit: Event?

  /// What is known at the fixes that are decided, in their order; nil when nobody takes it.
  private var observations: [Observation]?

  /// Fixes are decided so many at a time, about.
  private static let block = 256
  private static let mostFixes = 4_096

  /// Makes an engine in its initial state.
  ///
  /// - Parameter observes: Whether ``takeObservations()`` has what is known.
  package init(rules: Rules, observes: Bool = false) {
    var others = rules
    others.visits = nil
    tracker = Tracker(rules: others)
    if rules.visits != nil {
      var only = rules
      only.fences = FenceSet()
      only.significantChanges = nil
      visits = Tracker(rules: only)
    }
    if observes { observations = [] }
  }

  /// Why the fix last given was dropped; nil when it was accepted or waits for the next.
  package var lastDefect: Defect? { tracker.lastDefect }

  /// The time of the last accepted fix; nil before the first.
  package var lastTime: Timestamp? { tracker.lastTime }

  /// How many fixes were accepted, held or dropped so far.
  package var counts: GateCounts { tracker.counts }

  /// Processes one fix and appends the events that are decided then to `events`, in the order in which
  /// they happened.
  package mutating func ingest(_ fix: Fix, into events: inout [Event]) {
    var fix = fix
    let outcome = tracker.gate.validate(&fix, limits: tracker.rules.gate)
    tracker.lastDefect = nil
    if case .dropped(let defect) = outcome { tracker.lastDefect = defect }
    guard let time = fix.time else { return }
    switch outcome {
    case .dropped, .waits: break
    case .late:
      tracker.lastDefect = insert(fix, time)
      tracker.gate.settleLate(fix, tracker.lastDefect, limits: tracker.rules.gate)
    case .accepted: queue.append(.fix(fix, time))
    case .acceptedAfterGap(let waiting):
      queue.append(.fix(waiting, waiting.time ?? time))
      queue.append(.fix(fix, time))
    case .acceptedAfterBreak(let waiting, let hasNewClock):
      queue.append(.breakOff(waiting.time ?? time, hasNewClock: hasNewClock))
      queue.append(.fix(waiting, waiting.time ?? time))
      queue.append(.fix(fix, time))
    case .acceptedOnEarlierClock:
      queue.append(.breakOff(time, hasNewClock: true))
      queue.append(.fix(fix, time))
    }
    if queue.count >= limit { decide(isEnd: false, &events) }
  }

  /// Decides all that is left: the recording has ended.
  package mutating func finish(into events: inout [Event]) {
    while !queue.isEmpty { decide(isEnd: true, &events) }
    if let visit { events.append(visit) }
    visit = nil
  }

  /// Removes and returns what is known at the fixes that were decided since the last call.
  package mutating func takeObservations() -> [Observation] {
    defer { observations?.removeAll(keepingCapacity: true) }
    return observations ?? []
  }

  /// Puts a late fix in its place.
  ///
  /// - Returns: the reason for dropping it; nil when it was inserted.
  private mutating func insert(_ fix: Fix, _ time: Timestamp) -> Defect? {
    guard let last = tracker.lastTime,
      last.seconds(since: time) <= tracker.rules.gate.lateness
    else { return .outOfOrder }
    for place in queue.indices.reversed() {
      guard case .fix(let other, let before) = queue[place] else { return .outOfOrder }
      if before == time { return other.coordinate == fix.coordinate ? .duplicate : .sameTime }
      if before < time {
        queue.insert(.fix(fix, time), at: place + 1)
        return nil
      }
    }
    return .outOfOrder
  }

  /// Decides the first of the queue.
  private mutating func decide(isEnd: Bool, _ events: inout [Event]) {
    let first = events.count
    if case .breakOff(let time, let hasNewClock)? = queue.first {
      queue.removeFirst()
      breakOff(at: time, hasNewClock: hasNewClock, &events)
    } else {
      let fixes = nextFixes
      let isEnd = isEnd || fixes.count < queue.count
      let canWait = queue.count < Self.mostFixes
      let smoothed = smoother.smooth(fixes, isEnd: isEnd, canWait: canWait)
      let known = fixes[fixes.count - 1].time
      for (item, found) in zip(fixes, smoothed) {
        step(to: item.fix, at: item.time, found, decided: known, &events)
      }
      queue.removeFirst(smoothed.count)
    }
    limit = min(queue.count + Self.block, Self.mostFixes)
    keepFinalVisits(from: first, &events)
    events.sortTail(from: first)
  }

  /// Takes a fix with its smoothed estimate; its events are decided at `known`.
  private mutating func step(
    to fix: Fix, at time: Timestamp, _ found: FixEstimate?, decided known: Timestamp,
    _ events: inout [Event]
  ) {
    let first = events.count
    if let found { observe(fix, at: time, found, decided: known, &events) }
    let others = events.count
    visits?.step(to: fix, at: time, after: heard, decided: time, &events)
    for place in others..<events.count { events[place].decided = known }
    events.sortTail(from: first)
    heard = fix
  }

  /// Gives the smoothed estimate at a fix to the fences.
  private mutating func observe(
    _ fix: Fix, at time: Timestamp, _ found: FixEstimate, decided known: Timestamp,
    _ events: inout [Event]
  ) {
    tracker.advance(to: fix, at: time, after: previous, believed: known, &events)
    tracker.fences.path.value.record(found.estimate)
    tracker.observe(fix, at: time, after: previous, decided: known, found, &events)
    previous = fix
    observations?.append(Observation(found.estimate, found.positions, tracker.rules.fences))
  }

  /// The fixes of the queue up to the next break.
  private var nextFixes: [BlockSmoother.TimedFix] {
    var fixes: [BlockSmoother.TimedFix] = []
    for item in queue {
      guard case .fix(let fix, let time) = item else { break }
      fixes.append((fix, time))
    }
    return fixes
  }

  /// Takes a break in the track as a live run does.
  ///
  /// The smoother starts over only for another clock.
  private mutating func breakOff(
    at time: Timestamp, hasNewClock: Bool, _ events: inout [Event]
  ) {
    if let previous {
      tracker.breakOff(previous, time, hasNewClock, decided: time, &events)
      visits?.breakOff(heard ?? previous, time, hasNewClock, decided: time, &events)
    }
    (heard, previous) = (nil, nil)
    tracker.fences.path.value.restartRecording()
    if hasNewClock { smoother.restart() }
  }

  /// Holds a visit back until it is over, and drops it when it was none.
  private mutating func keepFinalVisits(from first: Int, _ events: inout [Event]) {
    var kept: [Event] = []
    for event in events[first...] {
      guard case .visit(var last) = event.statement else {
        kept.append(event)
        continue
      }
      visit = last.isRetracted || last.departure != nil ? nil : event
      guard last.departure != nil, !last.isRetracted else { continue }
      last.revision = 0
      var final = event
      final.statement = .visit(last)
      kept.append(final)
    }
    events.replaceSubrange(first..., with: kept)
  }
}
