/// The engine for one device: fixes go in, events come out.
///
/// It is a value: a copy is a fork, an encoded one a checkpoint. It uses no clock; time is the
/// time of the fixes. The same fixes give the same events, however they are batched and whatever
/// wake-ups come between them.
///
/// ## The order of calls
///
/// 1. ``ingest(_:into:)`` for every fix of the device, as it arrives. It advances the time to that of
///    the fix by itself, so a recording needs no other call.
/// 2. Live, read ``nextDeadline`` after every `ingest` and `advance`, and after ``rules`` were changed:
///    nothing else changes it. It may move to an earlier or a later time, or become nil. Wait for it on
///    a clock of yours.
/// 3. ``advance(to:into:)`` at that time, if no fix came before: it appends what came due. Then go on
///    with 2. A call too early or too often changes no event, and a late one reports the same events
///    later.
///
/// Events are appended in the order in which they are decided. None of the calls waits, calls other code,
/// or fails: a fix that cannot be used is dropped, and ``lastDefect`` and ``counts`` say why.
///
/// A tracker is used by one task at a time; copies are independent.
public struct Tracker: Sendable, Hashable, Codable {
  /// What is watched.
  ///
  /// When it changes, unchanged fences keep their state; the initial state of the others is reported
  /// with the next fix.
  public var rules: Rules {
    get { kept }
    set {
      let isSame = newValue.fences == kept.fences
      adopt(newValue, isSame ? nil : FenceSetChange(from: kept.fences, to: newValue.fences))
    }
  }
  // Read at every fix: the property `rules` would copy it.
  private var kept: Rules

  /// Takes new rules.
  ///
  /// - Parameter change: from the fences so far to those of the new rules; nil when they are the same.
  mutating func adopt(_ rules: Rules, _ change: FenceSetChange?) {
    kept = rules
    if let change { fences.adopt(change) }
    // A monitor that is switched off loses its state, and starts over when it is switched on again.
    if rules.visits == nil { visits = VisitMonitor() }
    if rules.significantChanges == nil { significantChanges = SignificantChangeMonitor() }
  }

  /// Why the fix last given was dropped; nil when it was used or waits for the next.
  public internal(set) var lastDefect: Defect?

  /// Validates fixes, counts them and keeps the last accepted one.
  var gate = Gate()
  /// How often the device reports on the move, which says what a silence means.
  var rhythm = Rhythm()
  /// The filter: where the device is, and whether it moves.
  var motion = Motion()
  /// The estimate at the last fix.
  var estimate: Estimate?
  /// Since when the fixes contradict the estimate; nil when they agree.
  var contradiction: Contradiction?
  /// The silence that ended a short while ago, if its position is repeated.
  var wake: Wake?
  /// On which side of each fence it is.
  var fences: FenceMonitor
  /// The trail of the device, and the stay that goes on.
  var visits = VisitMonitor()
  /// From where the distance counts.
  var significantChanges = SignificantChangeMonitor()

  /// Makes an engine in its initial state.
  public init(rules: Rules) {
    kept = rules
    fences = FenceMonitor()
  }

  /// An engine in a given state.
  init(
    rules: Rules, gate: Gate, rhythm: Rhythm, contradiction: Contradiction?, wake: Wake?,
    motion: Motion, estimate: Estimate?,
    fences: FenceMonitor, visits: VisitMonitor, significantChanges: SignificantChangeMonitor,
    lastDefect: Defect?
  ) {
    kept = rules
    self.gate = gate
    self.rhythm = rhythm
    self.contradiction = contradiction
    self.wake = wake
    self.motion = motion
    self.estimate = estimate
    self.fences = fences
    self.visits = visits
    self.significantChanges = significantChanges
    self.lastDefect = lastDefect
  }

  /// The time of the last fix that was used; nil before the first.
  public var lastTime: Timestamp? { gate.last?.time }

  /// The last fix that was used, without its impossible fields; nil before the first.
  public var lastFix: Fix? { gate.last }

  /// How many fixes were accepted, held or dropped so far.
  public var counts: GateCounts { gate.counts }

  /// Processes one fix and appends its events to `events`, in the order in which they happened.
  ///
  /// First, time advances to the fix, so that a replay needs no wake-ups. Fixes with defects are
  /// dropped and counted (`GateCounts`); a suspect one waits for the next.
  /// - Complexity: O(fences that are near). It allocates for events only.
  public mutating func ingest(_ fix: Fix, into events: inout [Event]) {
    var fix = fix
    let first = events.count
    let (before, doubt) = (gate.last, gate.waiting?.doubt)
    let outcome = gate.validate(&fix, limits: kept.gate)
    lastDefect = nil
    if case .dropped(let defect) = outcome { lastDefect = defect }
    guard let time = fix.time else { return }
    switch outcome {
    case .dropped, .waits(.clockJump): break
    case .late:
      lastDefect = takeLate(fix)
      gate.settleLate(fix, lastDefect, limits: kept.gate)
    case .waits(.teleport):
      // Its position is in doubt, not its time.
      fences.advance(to: time, last: before, doubt: doubt, rules: kept, into: &events)
    case .accepted:
      step(to: fix, at: time, after: before, doubt: doubt, decided: time, &events)
    case .acceptedAfterGap(let waiting):
      step(
        to: waiting, at: waiting.time ?? time, after: before, doubt: doubt, decided: time, &events)
      step(to: fix, at: time, after: waiting, decided: time, believed: time, &events)
      events.sortTail(from: first)
    case .acceptedAfterBreak(let waiting, let hasNewClock):
      if let before {
        breakOff(before, waiting.time ?? time, hasNewClock, doubt: doubt, decided: time, &events)
      }
      step(to: waiting, at: waiting.time ?? time, after: nil, decided: time, &events)
      step(to: fix, at: time, after: waiting, decided: time, believed: time, &events)
      if !hasNewClock { events.sortTail(from: first) }
    case .acceptedOnEarlierClock:
      if let before { breakOff(before, time, true, doubt: doubt, decided: time, &events) }
      step(to: fix, at: time, after: nil, decided: time, &events)
    }
  }

  /// A late fix corrects the estimate; events that follow from it come with the next fix.
  ///
  /// - Returns: why it was dropped, or nil.
  private mutating func takeLate(_ fix: Fix) -> Defect? {
    gate.mayInsert(fix, limits: kept.gate) ? motion.insert(fix) : .outOfOrder
  }

  /// Emits what came due before a break in the track, on the old clock, before the state changes.
  mutating func breakOff(
    _ last: Fix, _ time: Timestamp, _ hasNewClock: Bool, doubt: Timestamp? = nil,
    decided: Timestamp, _ events: inout [Event]
  ) {
    // On the old clock the second fix after the break is not the time that has passed.
    fences.advance(
      to: hasNewClock ? time : decided, last: last, doubt: doubt, hasNewClock: hasNewClock,
      rules: kept, into: &events)
    if hasNewClock {
      motion.restart(at: time)
      estimate = nil
      (contradiction, wake) = (nil, nil)
      fences.restartClock(at: time, heard: last.time ?? time)
      significantChanges.restartClock(at: time, heard: last.time ?? time)
      if let wanted = kept.visits {
        visits.restartClock(decided: decided, rhythm: rhythm, rules: wanted, into: &events)
      }
    } else {
      fences.breakOff(at: time, last: last, decided: decided, kept.fences, &events)
    }
  }

  /// Takes an accepted fix.
  ///
  /// - Parameter doubt: since when the device may have been elsewhere before it.
  @inline(never)
  mutating func step(
    to fix: Fix, at time: Timestamp, after previous: Fix?, doubt: Timestamp? = nil,
    decided: Timestamp, believed: Timestamp? = nil, _ events: inout [Event]
  ) {
    let first = events.count
    advance(to: fix, at: time, after: previous, doubt: doubt, believed: believed, &events)
    if let found = filter(fix, at: time) {
      observe(fix, at: time, after: previous, decided: decided, found, &events)
      motion.keepWindow(isNearEdge: fences.hasNearEdge(at: time))
    }
    // An event that came due in silence may be decided at the same instant as one of the fix.
    events.sortTail(from: first)
  }

  /// Gives a fix to the filter.
  ///
  /// A position that was only repeated is where the device was earlier, so then the estimate before it is the
  /// one of that time; unless the run is longer than the filter holds it, which ``Wake`` judges.
  @inline(__always)
  mutating func filter(_ fix: Fix, at time: Timestamp) -> FixEstimate? {
    let start = motion.measured(before: time)
    let found = motion.ingest(fix, hasEdges: !kept.fences.isEmpty)
    if let start, !motion.isHeld, wake?.isLongRun(since: start.time) != true { estimate = start }
    return found
  }

  /// Advances the clock to an accepted fix, and learns how the device reports.
  @inline(__always)
  mutating func advance(
    to fix: Fix, at time: Timestamp, after previous: Fix?, doubt: Timestamp? = nil,
    believed: Timestamp?, _ events: inout [Event]
  ) {
    fences.advance(
      to: time, last: previous, doubt: doubt, believed: believed, rules: kept, into: &events)
    // A repeated position is no report of a motion.
    if let previous, let start = motion.measured(before: time)?.time ?? previous.time,
      previous.coordinate != fix.coordinate
    {
      rhythm.learn(from: previous, to: fix, elapsed: time.seconds(since: start))
    }
  }

  /// Gives the estimate at a fix to the monitors.
  @inline(__always)
  mutating func observe(
    _ fix: Fix, at time: Timestamp, after previous: Fix?, decided: Timestamp,
    _ found: FixEstimate, _ events: inout [Event]
  ) {
    let update = update(fix, at: time, after: previous, decided: decided, found)
    fences.ingest(update, &motion, rules: kept, into: &events)
    if let wanted = kept.visits {
      visits.ingest(update, rules: wanted, memory: kept.memory, into: &events)
    }
    if let wanted = kept.significantChanges {
      significantChanges.ingest(update, rules: wanted, into: &events)
    }
    estimate = found.estimate
  }

  /// The update at a fix; notes whether the fix contradicts the estimate.
  @inline(__always)
  mutating func update(
    _ fix: Fix, at time: Timestamp, after previous: Fix?, decided: Timestamp, _ found: FixEstimate
  ) -> FilterUpdate {
    var ended: Contradiction?
    wake = Wake.next(wake, fix, at: time, after: previous)
    let silent = wake.flatMap { $0.isRun ? nil : $0 }
    if !found.agrees {
      if contradiction == nil, var start = estimate {
        if let silent, !silent.isOver { start.time = silent.silence }
        contradiction = Contradiction(start: start, time: time, coordinate: fix.coordinate)
      }
    } else {
      wake?.follow(found.estimate)
      if let last = contradiction {
        ended = last.ends(at: found.estimate) ? last : nil
        if ended != nil || last.isRefuted(by: fix) { contradiction = nil }
      }
    }
    return FilterUpdate(
      fix: fix, time: time, decided: decided, previous: previous, before: estimate, found,
      rhythm: rhythm, ended: ended, contradiction: contradiction, wake: silent)
  }

  /// Advances the clock without a fix and emits the events that have come due.
  ///
  /// `now` must be before the times of fixes that are still to come. An earlier `now` than before
  /// emits nothing.
  public mutating func advance(to now: Timestamp, into events: inout [Event]) {
    guard gate.heard != nil else { return }
    fences.advance(
      to: now, last: gate.last, doubt: gate.waiting?.doubt, isFix: false, rules: kept, into: &events
    )
  }

  /// When ``advance(to:into:)`` would emit an event by itself; nil when only a fix can.
  public var nextDeadline: Timestamp? {
    guard let heard = gate.heard else { return nil }
    return FenceMonitor.nextDeadline(
      fences.stays, fences.edges, heard: gate.waiting?.doubt ?? heard, kept)
  }
}
