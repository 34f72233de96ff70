internal import Geodesy
internal import Tracking

extension ServiceCore {
  /// The last known location, as exactly as the program may know it.
  package var lastLocation: Location? {
    guard grant.isAuthorized else { return nil }
    return grant.accuracy == .full ? last : last.map { coarse ?? Coarsener.coarse($0) }
  }

  /// At most `count` of the locations so far, evenly distributed, oldest first.
  package func history(count: Int) -> [Location] {
    guard grant.isAuthorized else { return [] }
    let sample = history.sample(count)
    return grant.accuracy == .full ? sample : sample.map(Coarsener.coarse)
  }

  // MARK: Standard updates

  /// Starts standard updates: the last known location comes first.
  ///
  /// No effect while they run.
  package mutating func startUpdating(_ id: ClientID) {
    guard let index = index(of: id) else { return }
    clients[index].request = nil
    if let standard = clients[index].standard, !standard.isPaused { return }
    let wasPaused = clients[index].standard != nil
    clients[index].standard = StandardUpdates(started: now)
    clientsChanged()
    guard !isRefused(id) else { return }
    if wasPaused { send(.resumed, to: id) }
    let wantsReduced = clients[index].settings.wantsReduced
    if let location = wantsReduced ? last.map(Coarsener.coarse) : lastLocation {
      offer([location], to: index)
    }
  }

  /// Stops standard updates, and a request for one location.
  package mutating func stopUpdating(_ id: ClientID) {
    guard let index = index(of: id) else { return }
    clients[index].standard = nil
    clients[index].request = nil
    notices.removeAll { notice in
      guard notice.to == id, case .locations(_, let service) = notice.notice else { return false }
      return service != .significantChange
    }
    if let held = clients[index].deferral?.takeHeld() {
      withheld += held.count
      endDeferral(index, .deferredCanceled)
    }
    clientsChanged()
  }

  /// Requests one location, which is answered exactly once; no effect while standard updates run.
  ///
  /// With `seconds` it waits that long for the desired accuracy, even if the accuracy does not improve.
  package mutating func requestLocation(_ id: ClientID, within seconds: Double? = nil) {
    guard let index = index(of: id), clients[index].standard?.isPaused ?? true else { return }
    guard !isRefused(id) else { return }
    guard grant.isAuthorized || isRequestInProgress else {
      return send(.failed(.denied), to: id)
    }
    if clients[index].request == nil {
      clients[index].request = LocationRequest(at: now, within: seconds)
    }
  }

  /// Delivers the best location so far, or an error without one.
  mutating func answer(_ index: Int) {
    guard let request = clients[index].request else { return }
    clients[index].request = nil
    if let best = request.best, grant.isAuthorized {
      send(.locations([best], .oneShot), to: clients[index].id)
    } else {
      send(.failed(grant.isAuthorized ? .locationUnknown : .denied), to: clients[index].id)
    }
  }

  /// Passes locations to a request, and answers it when one is as good as desired.
  private mutating func answer(_ index: Int, with locations: [Location]) {
    let desired = clients[index].settings.desiredAccuracy
    var isAnswered = false
    for location in locations
    where clients[index].request?.takes(location, desired: desired) == true {
      isAnswered = true
    }
    if isAnswered { answer(index) }
  }

  /// Whether access is denied; then the client receives an error.
  mutating func isRefused(_ id: ClientID) -> Bool {
    guard grant.status == .denied || grant.status == .restricted else { return false }
    send(.failed(.denied), to: id)
    return true
  }

  // MARK: Fixes

  /// Delivers fixes that the engine used; `time` is that of the last one.
  mutating func deliver(_ locations: [Location], at time: Timestamp) {
    guard let newest = locations.last else { return }
    last = newest
    for location in locations { history.note(location) }
    if notices.isEmpty { notices.reserveCapacity(clients.count) }
    for activity in rests.keys { rests[activity]?.note(newest.fix, at: time, activity: activity) }
    let isCoarse = grant.accuracy == .reduced
    let fresh = coarsener.take(newest, at: time)
    if let fresh { coarse = fresh }
    let batch = isCoarse ? fresh.map { [$0] } ?? [] : locations
    let coarseBatch = fresh.map { [$0] } ?? []
    // Usually false for every activity, and then no client needs a check.
    let isAnybodyAtRest = rests.contains { $1.isAtRest(for: $0.restTime, at: time) }
    for index in clients.indices {
      offer(clients[index].settings.wantsReduced ? coarseBatch : batch, to: index)
      if clients[index].isStream {
        updateStream(index, batch, at: time)
      } else if isAnybodyAtRest, isAtRest(index, at: time) {
        pause(index)
      }
    }
    if isCoarse {
      deliverCoarseChange(fresh)
    } else {
      noteSignificant(newest, at: time)
    }
  }

  /// Sends a client those locations that it wants.
  private mutating func offer(_ locations: [Location], to index: Int) {
    guard !locations.isEmpty else { return }
    let id = clients[index].id
    if clients[index].takesAll, clients[index].isObserver || mayDeliver(index) {
      return send(.locations(locations, .standard), to: id)
    }
    if clients[index].request != nil { answer(index, with: locations) }
    guard clients[index].standard?.isPaused == false else { return }
    let filter = clients[index].settings.distanceFilter
    let wanted =
      filter > 0
      ? locations.filter { clients[index].standard?.takes($0, filter: filter) == true } : locations
    guard !wanted.isEmpty else { return }
    guard mayDeliver(index) else { return withheld += wanted.count }
    if clients[index].deferral != nil {
      deferDelivery(wanted, index)
    } else {
      send(.locations(wanted, .standard), to: id)
    }
  }

  /// Whether a manager may receive locations now.
  func mayDeliver(_ index: Int) -> Bool {
    guard isInBackground else { return true }
    return clients[index].settings.allowsBackground && (grant.status == .always || isHeldActive)
  }

  /// Whether the device has rested so long that the client's updates pause.
  func isAtRest(_ index: Int, at time: Timestamp) -> Bool {
    guard let activity = clients[index].restingActivity, let since = rests[activity]?.since
    else { return false }
    let started = clients[index].standard?.started ?? clients[index].stream?.started ?? since
    return time.seconds(since: max(since, started)) >= activity.restTime
  }

  private mutating func pause(_ index: Int) {
    guard clients[index].standard?.isPaused == false else { return }
    clients[index].standard?.isPaused = true
    hasPaused = true
    if clients[index].deferral != nil { endDeferral(index, .deferredNotUpdatingLocation) }
    send(.paused, to: clients[index].id)
  }

  // MARK: Deferral

  /// Defers locations until `distance` metres or `timeout` seconds; each deferral ends with one notice.
  package mutating func allowDeferral(_ id: ClientID, distance: Double, timeout: Double) {
    guard let index = index(of: id) else { return }
    if clients[index].deferral != nil { endDeferral(index, .deferredCanceled) }
    let settings = clients[index].settings
    clients[index].request = nil
    let failure: Failure? =
      if clients[index].standard?.isPaused != false {
        .deferredNotUpdatingLocation
      } else if !settings.wantsBest || grant.accuracy == .reduced {
        .deferredAccuracyTooLow
      } else if settings.distanceFilter > 0 {
        .deferredDistanceFiltered
      } else if distance.isNaN || timeout.isNaN {
        .deferredFailed
      } else {
        nil
      }
    if let failure { return send(.deferralEnded(failure), to: id) }
    clients[index].deferral = Deferral(distance: distance, timeout: timeout, at: now)
  }

  /// Ends a deferral and delivers what was held back.
  package mutating func disallowDeferral(_ id: ClientID) {
    guard let index = index(of: id), clients[index].deferral != nil else { return }
    endDeferral(index, .deferredCanceled)
  }

  private mutating func deferDelivery(_ locations: [Location], _ index: Int) {
    if !isInBackground { send(.locations(locations, .standard), to: clients[index].id) }
    var isOver = false
    for location in locations
    where clients[index].deferral?.takes(location, holds: isInBackground) == true {
      isOver = true
    }
    if isOver { endDeferral(index, nil) }
  }

  mutating func endDeferral(_ index: Int, _ failure: Failure?) {
    let held = clients[index].deferral?.takeHeld() ?? []
    clients[index].deferral = nil
    if !held.isEmpty { send(.locations(held, .standard), to: clients[index].id) }
    send(.deferralEnded(failure), to: clients[index].id)
  }
}
