package import Tracking

extension ServiceCore {
  /// Changes the authorization; every manager is notified.
  ///
  /// Without an authorization the engine gets no fixes, so it starts over afterwards.
  package mutating func change(_ grant: Authorization) {
    guard grant != self.grant else { return }
    let before = self.grant
    self.grant = grant
    areRulesCurrent = false
    sendToManagers(.authorization)
    if before.accuracy != grant.accuracy || !grant.isAuthorized {
      for index in regions.indices { regions[index].state = .unknown }
    }
    if !grant.isAuthorized { forgetPositions() }
    if grant.status == .denied || grant.status == .restricted { refuse() }
    diagnose()
  }

  private mutating func forgetPositions() {
    tracker = Tracker(rules: tracker.rules)
    waiting = nil
    history = History()
    stay = nil
    significant.restartClock()
  }

  /// Notifies clients that wait for locations that none will come.
  private mutating func refuse() {
    for index in clients.indices {
      let client = clients[index]
      let waits =
        client.request != nil || client.standard != nil || client.wantsSignificantChanges
        || client.isObserver
      clients[index].request = nil
      if waits { send(.failed(.denied), to: client.id) }
    }
  }

  // MARK: Between launches

  /// What lasts beyond the end of the program.
  package var registrations: Registrations {
    var kept = Registrations()
    kept.regions = monitoredRegions
    kept.states = Dictionary(
      regions.map { ($0.region.identifier, $0.state) }, uniquingKeysWith: { $1 })
    kept.hasVisits = hasVisits
    kept.hasSignificantChanges =
      followedSignificantChanges || clients.contains(where: \.wantsSignificantChanges)
    kept.significantFix = significant.anchor?.fix
    kept.monitors = monitors.mapValues(\.records)
    kept.lastFix = last?.fix
    return kept
  }

  /// The engine, for a checkpoint.
  package var checkpoint: Tracker { tracker }

  /// Continues from what an earlier launch saved; the core must be new.
  ///
  /// Without the engine of that launch the states of the regions are unknown.
  package mutating func resume(_ kept: Registrations, _ engine: Tracker?) {
    regions = kept.regions.map { region in
      MonitoredRegion(
        region: region, state: engine == nil ? .unknown : kept.states[region.identifier] ?? .unknown
      )
    }
    hasVisits = kept.hasVisits
    for (name, records) in kept.monitors { restore(records, of: name) }
    followedSignificantChanges = kept.hasSignificantChanges
    last = kept.lastFix.map { Location($0, from: .receiver) }
    significant.anchor = kept.significantFix.map { Location($0, from: .receiver) }
    if let engine {
      tracker = engine
      // It reports the states of conditions again.
      let fences = engine.rules.fences.filter { !$0.id.hasPrefix(Self.conditionPrefix) }
      tracker.rules.fences = (try? FenceSet(fences)) ?? FenceSet()
      now = engine.lastTime
    }
    areRulesCurrent = false
  }

  private mutating func restore(_ records: [ConditionRecord], of monitor: String) {
    for record in records {
      addCondition(
        record.condition, identifier: record.identifier, of: monitor, assuming: record.state)
      handled(
        ConditionEvent(identifier: record.identifier, state: record.state, time: record.time),
        of: monitor)
    }
  }
}
