internal import Geodesy
internal import Tracking

/// The state of significant changes, shared by all clients.
struct SignificantUpdates: Sendable {
  /// The last location delivered.
  var anchor: Report?
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
    guard !isRefused(id), let report = lastReport else { return }
    if let told = clients[index].toldSignificant, told == report.fix.time {
      clients[index].awaitsSignificant = false
    } else {
      tellSignificant(report, to: index)
    }
    if significant.anchor == nil { significant.anchor = last }
  }

  /// Notes a change that was found while the program did not run and was delivered: when the
  /// manager starts significant changes, it does not receive the same location again as the last
  /// known one.
  package mutating func takeNote(ofTold report: Report, to id: ClientID) {
    guard let index = index(of: id) else { return }
    clients[index].toldSignificant = report.fix.time
  }

  /// Ends significant changes.
  package mutating func stopSignificantChanges(_ id: ClientID) {
    guard let index = index(of: id) else { return }
    clients[index].wantsSignificantChanges = false
    clients[index].awaitsSignificant = false
    clients[index].withheldSignificant = nil
    followedSignificantChanges = false
    letters.removeAll { letter in
      guard letter.to == id, case .locations(_, .significantChange) = letter.notice else {
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
  mutating func noteSignificant(_ report: Report, at time: Timestamp) {
    guard clients.indices.contains(where: { clients[$0].followsSignificantChanges }) else { return }
    defer { significant.isNew = false }
    let isChange = (profile.hasPlainSignificantChanges || significant.isNew) && isFar(report, time)
    if isChange { return tellSignificantChange(report) }
    tellAwaiting(report)
    if significant.anchor == nil { significant.anchor = report }
  }

  /// The plain rule: far enough from the last location delivered, and long enough after it.
  private func isFar(_ report: Report, _ time: Timestamp) -> Bool {
    guard let anchor = significant.anchor, let told = anchor.fix.time else { return false }
    let rules = profile.significantChanges
    return time.seconds(since: told) >= rules.interval
      && anchor.fix.coordinate.distance(to: report.fix.coordinate) >= rules.distance
  }

  mutating func tellSignificantChange(_ report: Report) {
    significant.anchor = report
    for index in clients.indices where clients[index].followsSignificantChanges {
      if clients[index].wantsSignificantChanges {
        tellSignificant(report, to: index)
      } else {
        send(.locations([report], .significantChange), to: clients[index].id)
      }
    }
  }

  /// With reduced accuracy, a change of the cell is a significant change.
  mutating func tellCoarseChange(_ fresh: Report?) {
    guard let fresh else { return }
    if significant.anchor?.fix.coordinate != fresh.fix.coordinate {
      tellSignificantChange(fresh)
    } else {
      tellAwaiting(fresh)
    }
  }

  /// Delivers the first location to clients that have not had one since they started.
  private mutating func tellAwaiting(_ report: Report) {
    for index in clients.indices where clients[index].awaitsSignificant {
      tellSignificant(report, to: index)
    }
  }

  private mutating func tellSignificant(_ report: Report, to index: Int) {
    clients[index].awaitsSignificant = false
    if mayTell(index) {
      send(.locations([report], .significantChange), to: clients[index].id)
    } else {
      clients[index].withheldSignificant = report
      withheld += 1
    }
  }

  /// Delivers the newest withheld location, when the program is in use again or may receive
  /// locations in the background.
  mutating func tellWithheld() {
    for index in clients.indices {
      guard let report = clients[index].withheldSignificant, mayTell(index) else {
        continue
      }
      clients[index].withheldSignificant = nil
      send(.locations([report], .significantChange), to: clients[index].id)
    }
  }

  /// The program came into use, or is no longer in use.
  mutating func useChanged() {
    tellWithheld()
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

  mutating func tell(_ visit: Visit, _ event: Event) {
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

  mutating func tellEvents() {
    guard !events.isEmpty else { return }
    let said = events
    events.removeAll(keepingCapacity: true)
    for event in said {
      switch event.statement {
      case .state(let fence, let containment, _): note(fence, containment, event)
      case .enter(let fence, _): note(fence, .inside, event)
      case .exit(let fence, _, _): note(fence, .outside, event)
      // The fences of regions and conditions have no dwell time.
      case .dwell: break
      case .visit(let visit):
        observe(event)
        tell(visit, event)
      case .significantChange:
        if grant.accuracy == .full, let last { tellSignificantChange(last) }
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
