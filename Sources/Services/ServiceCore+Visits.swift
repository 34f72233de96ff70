internal import Geodesy
internal import Tracking

/// The state of significant changes, shared by all clients.
struct SignificantUpdates: Sendable {
  /// The last location delivered.
  var anchor: Location?
  /// Whether the engine started over, so it does not know the anchor.
  var isNew = true

  mutating func restartClock() {
    anchor = nil
    isNew = true
  }
}

extension ServiceCore {
  // MARK: Significant changes

  /// Starts significant changes: the last known location comes first; no effect while they run.
  package mutating func startSignificantChanges(_ id: ClientID) {
    guard let index = index(of: id), !clients[index].wantsSignificantChanges else { return }
    clients[index].wantsSignificantChanges = true
    clients[index].awaitsSignificant = true
    followedSignificantChanges = false
    clientsChanged()
    guard !isRefused(id), let location = lastLocation else { return }
    if let delivered = clients[index].deliveredSignificant, delivered == location.fix.time {
      clients[index].awaitsSignificant = false
    } else {
      deliverSignificant(location, to: index)
    }
    if significant.anchor == nil { significant.anchor = last }
  }

  /// Notes a change that was found while the program did not run and was delivered: when the manager
  /// starts significant changes, it does not receive the same location again as the last known one.
  package mutating func noteDelivered(_ location: Location, to id: ClientID) {
    guard let index = index(of: id) else { return }
    clients[index].deliveredSignificant = location.fix.time
  }

  /// Ends significant changes.
  package mutating func stopSignificantChanges(_ id: ClientID) {
    guard let index = index(of: id) else { return }
    clients[index].wantsSignificantChanges = false
    clients[index].awaitsSignificant = false
    clients[index].withheldSignificant = nil
    followedSignificantChanges = false
    notices.removeAll { notice in
      guard notice.to == id, case .locations(_, .significantChange) = notice.notice else {
        return false
      }
      return true
    }
    significantClientsChanged()
  }

  mutating func significantClientsChanged() {
    if !clients.contains(where: \.followsSignificantChanges) { significant = SignificantUpdates() }
    clientsChanged()
  }

  /// Checks whether a fix is a significant change.
  mutating func noteSignificant(_ location: Location, at time: Timestamp) {
    guard clients.indices.contains(where: { clients[$0].followsSignificantChanges }) else { return }
    defer { significant.isNew = false }
    let isChange =
      (profile.hasPlainSignificantChanges || significant.isNew) && isFar(location, time)
    if isChange { return deliverSignificantChange(location) }
    deliverFirst(location)
    if significant.anchor == nil { significant.anchor = location }
  }

  /// The plain rule: far enough from the last location delivered, and long enough after it.
  private func isFar(_ location: Location, _ time: Timestamp) -> Bool {
    guard let anchor = significant.anchor, let last = anchor.fix.time else { return false }
    let rules = profile.significantChanges
    return time.seconds(since: last) >= rules.interval
      && anchor.fix.coordinate.distance(to: location.fix.coordinate) >= rules.distance
  }

  mutating func deliverSignificantChange(_ location: Location) {
    significant.anchor = location
    for index in clients.indices where clients[index].followsSignificantChanges {
      if clients[index].wantsSignificantChanges {
        deliverSignificant(location, to: index)
      } else {
        send(.locations([location], .significantChange), to: clients[index].id)
      }
    }
  }

  /// With reduced accuracy, a change of the cell is a significant change.
  mutating func deliverCoarseChange(_ fresh: Location?) {
    guard let fresh else { return }
    if significant.anchor?.fix.coordinate != fresh.fix.coordinate {
      deliverSignificantChange(fresh)
    } else {
      deliverFirst(fresh)
    }
  }

  /// Delivers the first location to clients that have not had one since they started.
  private mutating func deliverFirst(_ location: Location) {
    for index in clients.indices where clients[index].awaitsSignificant {
      deliverSignificant(location, to: index)
    }
  }

  private mutating func deliverSignificant(_ location: Location, to index: Int) {
    clients[index].awaitsSignificant = false
    if mayDeliver(index) {
      send(.locations([location], .significantChange), to: clients[index].id)
    } else {
      clients[index].withheldSignificant = location
      withheld += 1
    }
  }

  /// Delivers the newest withheld location, when the program is in use again or may receive locations in
  /// the background.
  mutating func deliverWithheld() {
    for index in clients.indices {
      guard let location = clients[index].withheldSignificant, mayDeliver(index) else {
        continue
      }
      clients[index].withheldSignificant = nil
      send(.locations([location], .significantChange), to: clients[index].id)
    }
  }

  /// The program came into use, or is no longer in use.
  mutating func useChanged() {
    deliverWithheld()
    offerHeading()
    diagnose()
  }

  // MARK: Visits

  /// Starts visits for all managers, including later ones.
  package mutating func startVisits() {
    hasVisits = true
    clientsChanged()
  }

  /// Ends visits for all managers.
  package mutating func stopVisits() {
    hasVisits = false
    stay = nil
    clientsChanged()
  }

  mutating func deliver(_ visit: Visit, _ event: Event) {
    var stay = Stay(
      arrival: visit.isArrivalSeen ? visit.arrival : nil, departure: visit.departure,
      coordinate: event.coordinate,
      horizontalAccuracy: event.horizontalAccuracy ?? tracker.rules.visits?.radius ?? 0)
    if grant.accuracy == .reduced {
      stay.coordinate = Coarsener.cell(of: stay.coordinate)
      stay.horizontalAccuracy = Coarsener.radius
    }
    self.stay = stay.departure == nil ? stay : nil
    for index in clients.indices where clients[index].wants(.visits) {
      send(.visit(stay), to: clients[index].id)
    }
    guard hasVisits else { return }
    guard mayWake else { return withheld += 1 }
    sendToManagers(.visit(stay))
  }

  /// Whether events of regions and visits may be delivered now.
  var mayWake: Bool { !isInBackground || grant.status == .always || isHeldActive }

  // MARK: The engine's events

  /// Sends what the engine has reported.
  mutating func deliverEvents() {
    guard !events.isEmpty else { return }
    let new = events
    events.removeAll(keepingCapacity: true)
    for event in new {
      switch event.statement {
      case .state(let fence, let containment, _): note(fence, containment, event)
      case .enter(let fence, _): note(fence, .inside, event)
      case .exit(let fence, _, _): note(fence, .outside, event)
      // The fences of regions and conditions have no dwell time.
      case .dwell: break
      case .visit(let visit):
        observe(event)
        deliver(visit, event)
      case .significantChange:
        if grant.accuracy == .full, let last { deliverSignificantChange(last) }
      }
    }
  }

  /// Sends an event to observers; its fence has the name of its region.
  mutating func observe(_ event: Event) {
    var event = event
    if grant.accuracy == .reduced {
      event.coordinate = Coarsener.cell(of: event.coordinate)
      event.horizontalAccuracy = Coarsener.radius
    }
    for index in clients.indices where clients[index].wants(.events) {
      send(.event(event), to: clients[index].id)
    }
  }
}
