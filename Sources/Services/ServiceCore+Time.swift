package import Tracking

extension ServiceCore {
  /// A live source begins at this time of the system's clock, from when on is waited for it.
  package mutating func begin(at time: Timestamp) {
    for index in clients.indices { clients[index].request?.forgetTime() }
    isClockGuessed = true
    advanceClock(to: max(time, now ?? time))
  }

  /// It is so late by the clock of a live source, which may have been silent for long: requests that
  /// were made since it spoke count from now on.
  package mutating func note(clock time: Timestamp) {
    for index in clients.indices { clients[index].request?.begin(at: time) }
  }

  /// A recording begins, whose times may be earlier than all before: then it has a clock of its own,
  /// and where the device is is not known any more.
  package mutating func beginTrace() { isTraceNew = true }

  /// Takes a fix: says what came due before it, then what it says.
  package mutating func ingest(_ fix: Fix, from origin: Report.Origin) {
    if isTraceNew, let time = fix.time {
      isTraceNew = false
      if let now, time < now { restartClock() }
    }
    guard grant.isAuthorized else { return }
    updateRules()
    let before = (accepted: tracker.counts.accepted, reordered: tracker.counts.reordered)
    tracker.ingest(fix, into: &events)
    let counts = tracker.counts
    let accepted = counts.accepted - before.accepted
    if accepted == 0 || counts.reordered > before.reordered {
      waiting = counts.waiting > 0 ? Report(fix, from: origin) : nil
      tellEvents()
      return
    }
    guard let used = tracker.lastFix, let time = used.time else { return }
    followReceiver(time)
    advanceClock(to: time)
    var reports = [Report(used, from: origin)]
    if accepted > 1, let waiting { reports.insert(waiting, at: 0) }
    waiting = nil
    tell(reports, at: time)
    tellEvents()
  }

  /// Time passed without a fix.
  package mutating func advance(to time: Timestamp) {
    if let now, time <= now { return }
    updateRules()
    if grant.isAuthorized { tracker.advance(to: time, into: &events) }
    advanceClock(to: time)
    tellEvents()
  }

  /// When ``advance(to:)`` would say something by itself; nil when only a fix or a client can.
  package var nextDeadline: Timestamp? {
    var earliest = tracker.nextDeadline
    for index in clients.indices {
      if let deadline = clients[index].request?.deadline {
        earliest = min(earliest ?? deadline, deadline)
      }
      if let deadline = clients[index].deferral?.deadline {
        earliest = min(earliest ?? deadline, deadline)
      }
    }
    return earliest
  }

  /// How it is with the source.
  package mutating func sourceChanged(_ status: SourceStatus) {
    switch status {
    case .reporting: isAvailable = true
    case .unavailable:
      isAvailable = false
      for client in clients where client.standard?.isPaused == false {
        send(.failed(.locationUnknown), to: client.id)
      }
    case .ended:
      isAvailable = false
      for index in clients.indices where clients[index].request != nil { answer(index) }
    }
    diagnose()
  }

  /// What came due on the clients' side at `time`, which is the time from now on.
  private mutating func advanceClock(to time: Timestamp) {
    now = max(now ?? time, time)
    for index in clients.indices {
      let isOver = clients[index].note(time)
      if isOver.request { answer(index) }
      if isOver.deferral { endDeferral(index, nil) }
    }
  }

  /// A receiver may be behind the system's clock, by which time passed until it spoke: a recording
  /// that is fed anew, a receiver with a wrong date.
  private mutating func followReceiver(_ time: Timestamp) {
    guard isClockGuessed else { return }
    isClockGuessed = false
    guard let guessed = now, time < guessed else { return }
    now = nil
    forgetTimes()
  }

  private mutating func restartClock() {
    now = nil
    tracker = Tracker(rules: tracker.rules)
    waiting = nil
    rests = rests.mapValues { _ in RestWatch() }
    coarsener = Coarsener()
    significant.restartClock()
    stay = nil
    for index in regions.indices { regions[index].state = .unknown }
    forgetTimes()
  }

  private mutating func forgetTimes() {
    for index in clients.indices {
      clients[index].request?.forgetTime()
      clients[index].deferral?.forgetTime()
      clients[index].standard?.started = nil
      clients[index].stream?.started = nil
    }
  }

  /// Gives the engine what is watched now.
  private mutating func updateRules() {
    guard !areRulesCurrent else { return }
    areRulesCurrent = true
    var rules = tracker.rules
    let fences = grant.accuracy == .full ? regions.map(fence) + monitors.flatMap(fences) : []
    // Their names are made to differ and each has an area, so that they always make a set.
    rules.fences = (try? FenceSet(fences.sorted { $0.id < $1.id })) ?? rules.fences
    let watchesVisits = hasVisits || clients.contains { $0.wants(.visits) }
    rules.visits = watchesVisits ? rules.visits ?? VisitRules() : nil
    let watchesChanges = clients.contains(where: \.followsSignificantChanges)
    rules.significantChanges =
      watchesChanges && !profile.hasPlainSignificantChanges ? profile.significantChanges : nil
    tracker.rules = rules
  }

  /// Clients came, went or changed what they want.
  mutating func clientsChanged() {
    areRulesCurrent = false
    for activity in Activity.allCases {
      let isUsed = clients.indices.contains { clients[$0].restingActivity == activity }
      if isUsed != (rests[activity] != nil) { rests[activity] = isUsed ? RestWatch() : nil }
    }
  }
}
