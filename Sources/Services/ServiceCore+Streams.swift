internal import Tracking

extension ServiceCore {
  /// Starts a live stream: the last known location, and why there may be no more.
  mutating func beginStream(_ index: Int) {
    clients[index].stream?.started = now
    if let location = lastLocation { updateStream(index, [location], at: nil) }
    diagnose(index)
  }

  /// Sends a live stream its updates; when the device rests, one stationary update and then none.
  mutating func updateStream(_ index: Int, _ locations: [Location], at time: Timestamp?) {
    guard !locations.isEmpty else { return }
    guard mayUpdateStreams else { return withheld += locations.count }
    let isAtRest = time.map { self.isAtRest(index, at: $0) } ?? false
    defer { clients[index].stream?.isAtRest = isAtRest }
    guard !isAtRest || clients[index].stream?.isAtRest == false else { return }
    for (place, location) in locations.enumerated() {
      let isLast = place == locations.count - 1
      send(
        .update(LiveUpdate(location, isStationary: isAtRest && isLast, diagnosis: diagnosis)),
        to: clients[index].id)
    }
  }

  /// Whether live streams and monitors may receive more than a diagnosis.
  var mayUpdateStreams: Bool { (!isInBackground || isHeldActive) && !isSessionMissing }

  /// Sends an observer the initial state.
  mutating func sendInitialState(_ index: Int) {
    let client = clients[index]
    if client.wants(.locations), let location = lastLocation {
      send(.locations([location], .standard), to: client.id)
    }
    if client.wants(.visits), grant.isAuthorized, let stay { send(.visit(stay), to: client.id) }
  }

  /// Why there are no locations now, or not all of them.
  package var diagnosis: Diagnosis {
    var diagnosis = Diagnosis()
    diagnosis.authorizationDenied = grant.status == .denied
    diagnosis.authorizationDeniedGlobally = grant.status == .denied && isServiceOff
    diagnosis.authorizationRestricted = grant.status == .restricted
    diagnosis.authorizationRequestInProgress = isRequestInProgress
    diagnosis.serviceSessionRequired = isSessionMissing
    guard grant.isAuthorized else { return diagnosis }
    diagnosis.locationUnavailable = !isAvailable
    diagnosis.accuracyLimited = grant.accuracy == .reduced
    diagnosis.insufficientlyInUse = isInBackground && !isHeldActive
    return diagnosis
  }

  /// Sends the diagnosis to streams and monitors when it has changed.
  mutating func diagnose() {
    for index in clients.indices { diagnose(index) }
    diagnoseMonitors()
  }

  private mutating func diagnose(_ index: Int) {
    let why = diagnosis
    guard let reported = clients[index].stream?.reported, reported != why else { return }
    clients[index].stream?.reported = why
    send(.update(LiveUpdate(nil, diagnosis: why)), to: clients[index].id)
  }
}
