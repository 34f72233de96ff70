internal import Geodesy

/// What is reported while a device is silent, and after a break in its track.
extension FenceMonitor {
  /// Advances the clock without a fix: reports the crossings and dwells that are due, and the fences
  /// whose side has become unknown.
  ///
  /// - Parameters:
  ///   - doubt: the time of a later fix whose position is in doubt. It may be right until it was not
  ///     confirmed for as long as a silence is waited for.
  ///   - believed: when the engine accepted `last`, if that was after its own time; nothing is
  ///     decided before.
  ///   - hasNewClock: whether `now` is of another clock than `last`, so the length of
  ///     the silence is unknown.
  ///   - isFix: whether there is a fix of this time.
  mutating func advance(
    to now: Timestamp, last: Fix?, doubt: Timestamp? = nil, believed: Timestamp? = nil,
    hasNewClock: Bool = false, isFix: Bool = true, rules: Rules, into events: inout [Event]
  ) {
    guard let last, !stays.isEmpty || !edges.isEmpty else { return }
    let first = events.count
    let heard = doubt ?? last.time
    if let heard, !hasNewClock {
      settleEdges(by: now, last, heard, believed, isFix: isFix, rules, &events)
    }
    let forgotten = hasNewClock ? nil : heard.map { Self.forgetting($0, rules) }
    let end = forgotten.map { min($0, now) } ?? now
    if let heard, heard.advanced(bySeconds: rules.dwellPatience) <= end {
      for index in stays.indices {
        guard let due = Self.deadline(of: stays[index], edges, heard: heard, rules), due <= end
        else { continue }
        reportDwell(index, by: due, rules.fences, &events) { full in
          Moment(last, time: full, decided: max(due, believed ?? due))
        }
      }
    }
    // A fix at exactly that time is in time.
    if let forgotten, forgotten < now || (forgotten == now && !isFix) {
      forget(at: forgotten, last, decided: max(forgotten, believed ?? forgotten), rules, &events)
    }
    events.sortTail(from: first)
  }

  /// A device that fell silent on the other side of an edge stays there: a crossing that was probable
  /// enough at its last fix is reported without a second fix.
  private mutating func settleEdges(
    by now: Timestamp, _ last: Fix, _ heard: Timestamp, _ believed: Timestamp?, isFix: Bool,
    _ rules: Rules, _ events: inout [Event]
  ) {
    let due = heard.advanced(bySeconds: rules.dwellPatience)
    guard due < now || (due == now && !isFix) else { return }
    for var edge in edges where edge.sure != nil {
      let decided = max(due, believed ?? due)
      var moment = edge.crossing?.moment ?? Moment(last, time: last.time ?? heard, decided: decided)
      moment.decided = decided
      let crossing = Crossing(
        timeUncertainty: edge.crossing?.timeUncertainty, isInterpolated: edge.crossing != nil,
        confidence: edge.confidence)
      turn(rules.fences.member(edge.fence), (moment, crossing), rules.fences, &edge, &events)
      keep(&edge)
    }
  }

  /// When ``advance(to:last:doubt:believed:hasNewClock:isFix:rules:into:)`` would emit an event after the
  /// last fix or a later doubtful one, of the time `heard`; nil when it would not.
  ///
  /// A loop: the captures of a closure would be copied at every fix.
  static func nextDeadline(
    _ stays: [Stay], _ edges: [EdgeState], heard: Timestamp, _ rules: Rules
  ) -> Timestamp? {
    var next = stays.isEmpty ? nil : forgetting(heard, rules)
    func note(_ due: Timestamp) { next = next.map { min($0, due) } ?? due }
    for stay in stays {
      if let due = deadline(of: stay, edges, heard: heard, rules) { note(due) }
    }
    for edge in edges where edge.sure != nil {
      note(heard.advanced(bySeconds: rules.dwellPatience))
    }
    return next
  }

  /// A dwell is due when its time is full and the device has been silent for the patience.
  ///
  /// While the estimate is on the other side of the edge the next fix decides.
  private static func deadline(
    of stay: Stay, _ edges: [EdgeState], heard: Timestamp, _ rules: Rules
  ) -> Timestamp? {
    guard let full = stay.fullDwell(rules.fences), !edges.areInDoubt(of: stay) else {
      return nil
    }
    return max(full, heard.advanced(bySeconds: rules.dwellPatience))
  }

  /// When the state of a silent device becomes unknown.
  ///
  /// That is ``Rules/memory`` after the last fix; the engine then no longer assumes that it is
  /// where it was.
  private static func forgetting(_ heard: Timestamp, _ rules: Rules) -> Timestamp {
    heard.advanced(bySeconds: rules.memory)
  }

  /// The state of the fences that the device was inside becomes unknown.
  private mutating func forget(
    at time: Timestamp, _ last: Fix, decided: Timestamp, _ rules: Rules, _ events: inout [Event]
  ) {
    let moment = Moment(last, time: time, decided: decided)
    for index in stays.indices.reversed() {
      let fence = rules.fences.member(stays[index].fence)
      if fence.initial == .state {
        events.append(moment.event(.state(fence: fence.id, .unknown, confidence: nil)))
      }
      lose(index, at: time, heard: last.time ?? time)
    }
    edges.removeAll { $0.turned == nil }
    for place in edges.indices { edges[place].forget() }
  }

  /// The device has a new clock, now at `time`; the last fix on the old one was at `heard`.
  ///
  /// Stays are as long as they were. If a dwell was reported in silence, the old clock had come that far.
  ///
  /// All times of stays move by the difference, so that a dwell is due after the same time inside.
  /// Evidence at edges is dropped, as it is timed by the old clock.
  mutating func restartClock(at time: Timestamp, heard: Timestamp) {
    resolved = nil
    let reached = stays.lazy.compactMap(\.dwelt).reduce(heard, max)
    shift { time.advanced(byNanoseconds: -max(0, reached.nanoseconds(since: $0))) }
    edges = []
  }

  /// The track broke off: the device is taken to have been where it was last seen until `time`, so
  /// that a stay that ends there was long enough for the dwells that were full by then.
  mutating func breakOff(
    at time: Timestamp, last: Fix, decided: Timestamp, _ set: FenceSet, _ events: inout [Event]
  ) {
    let first = events.count
    for index in stays.indices {
      reportDwell(index, by: time, set, &events) { Moment(last, time: $0, decided: decided) }
    }
    edges = []
    events.sortTail(from: first)
  }

  /// After a break in the track: of the naive fences only the sides that changed are known, not how.
  mutating func resume(_ update: FilterUpdate, _ set: FenceSet, _ events: inout [Event]) {
    let (fix, moment) = (update.fix, update.moment(update.time))
    for place in stays.indices.reversed() {
      let fence = set.member(stays[place].fence)
      guard fence.decision == .naive, !fence.area.contains(fix.coordinate) else { continue }
      leave(place, fence, .unseen(fence.area, fix, inside: false), moment, &events)
    }
    set.forEachFence(near: Box(fix.coordinate)) { index in
      let fence = set.member(index)
      guard fence.decision == .naive, !pending.contains(index), stay(of: index) == nil,
        fence.area.contains(fix.coordinate)
      else { return }
      enter(index, fence, .unseen(fence.area, fix, inside: true), moment, &events)
    }
  }
}
