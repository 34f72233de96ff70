package import Tracking

extension ServiceCore {
  /// A live source starts at this time of the system's clock; time limits count from it.
  package mutating func begin(at time: Timestamp) {
    for index in clients.indices { clients[index].request?.forgetTime() }
    isClockGuessed = true
    advanceClock(to: max(time, now ?? time))
  }

  /// Notes the time by the clock of a live source, which may have been silent for long: the limits of
  /// requests made since its last fix count from now.
  package mutating func note(clock time: Timestamp) {
    for index in clients.indices { clients[index].request?.begin(at: time) }
  }

  /// A recording starts.
  ///
  /// If its times are earlier than all before, the clock starts over and the position of the device is
  /// unknown.
  package mutating func beginTrace() {
    isTraceNew = true
    forgetCompass()
  }

  /// Takes a fix; first sends what came due before it.
  package mutating func ingest(_ fix: Fix, from origin: Location.Origin) {
    if isTraceNew, let time = fix.time {
      isTraceNew = false
      if let now, time < now { restartClock() }
    }
    if heading == nil { fixesWithoutHeading += 1 }
    guard grant.isAuthorized else { return }
    updateRules()
    let before = (accepted: tracker.counts.accepted, reordered: tracker.counts.reordered)
    tracker.ingest(fix, into: &events)
    let counts = tracker.counts
    let accepted = counts.accepted - before.accepted
    if accepted == 0 || counts.reordered > before.reordered {
      waiting = counts.waiting > 0 ? Location(fix, from: origin) : nil
      deliverEvents()
      return
    }
    guard let used = tracker.lastFix, let time = used.time else { return }
    followReceiver(time)
    advanceClock(to: time)
    var locations = [Location(used, from: origin)]
    if accepted > 1, let waiting { locations.insert(waiting, at: 0) }
    waiting = nil
    deliver(locations, at: time)
    deliverEvents()
  }

  /// Advances the clock without a fix.
  package mutating func advance(to time: Timestamp) {
    if let now, time <= now { return }
    updateRules()
    if grant.isAuthorized { tracker.advance(to: time, into: &events) }
    advanceClock(to: time)
    deliverEvents()
  }

  /// When ``advance(to:)`` has something to do; nil until a fix or a client changes something.
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

  /// The state of the source has changed.
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
      endRequests()
    }
    diagnose()
  }

  /// Answers all requests for one location with what there is: no more fixes come.
  package mutating func endRequests() {
    for index in clients.indices where clients[index].request != nil { answer(index) }
  }

  /// Sets the clock, and handles the clients' requests and deferrals that are due.
  private mutating func advanceClock(to time: Timestamp) {
    now = max(now ?? time, time)
    for index in clients.indices {
      let isOver = clients[index].note(time)
      if isOver.request { answer(index) }
      if isOver.deferral { endDeferral(index, nil) }
    }
  }

  /// Follows the receiver's clock if it is behind the system's, which was used until the first fix: a
  /// recording that gpsd plays, a receiver with a wrong date.
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
    rests = rests.mapValues { _ in RestDetector() }
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

  /// Gives the engine the current rules.
  private mutating func updateRules() {
    guard !areRulesCurrent else { return }
    areRulesCurrent = true
    var rules = tracker.rules
    let fences = grant.accuracy == .full ? regions.map(fence) + monitors.flatMap(fences) : []
    // The names are unique and each fence has an area, so this cannot fail.
    rules.fences = (try? FenceSet(fences.sorted { $0.id < $1.id })) ?? rules.fences
    let needsVisits = hasVisits || clients.contains { $0.wants(.visits) }
    rules.visits = needsVisits ? rules.visits ?? VisitRules() : nil
    let needsChanges = clients.contains(where: \.followsSignificantChanges)
    rules.significantChanges =
      needsChanges && !profile.hasPlainSignificantChanges ? profile.significantChanges : nil
    tracker.rules = rules
  }

  /// Clients were added, removed or changed.
  mutating func clientsChanged() {
    areRulesCurrent = false
    for activity in Activity.allCases {
      let isUsed = clients.indices.contains { clients[$0].restingActivity == activity }
      if isUsed != (rests[activity] != nil) { rests[activity] = isUsed ? RestDetector() : nil }
    }
  }
}
