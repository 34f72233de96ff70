internal import Geodesy
internal import Tracking

/// A region and its state.
struct MonitoredRegion: Sendable {
  var region: Region
  var state = Containment.unknown
}

extension ServiceCore {
  /// Prefixes of the names of fences: of regions, and of monitors' conditions.
  static let regionPrefix = "r"
  static let conditionPrefix = "m"

  /// The regions monitored, for all managers.
  package var monitoredRegions: [Region] { regions.map(\.region) }

  /// Monitors a region; it replaces one with the same identifier.
  ///
  /// The state is delivered when it is known. A device that is inside already does not enter.
  package mutating func startMonitoring(_ region: Region, for id: ClientID) {
    let place = regions.firstIndex { $0.region.identifier == region.identifier }
    let isFull = place == nil && regions.count >= profile.regionLimit ?? .max
    // Not "≤ 0", so NaN is rejected as well.
    guard region.center.isValid, region.radius > 0, region.radius <= profile.longestRadius, !isFull
    else {
      return send(.monitoringFailed(region, .regionMonitoringFailure), to: id)
    }
    if let place {
      let before = regions[place]
      let isSame = before.region.center == region.center && before.region.radius == region.radius
      regions[place] = MonitoredRegion(region: region, state: isSame ? before.state : .unknown)
    } else {
      regions.append(MonitoredRegion(region: region))
    }
    areRulesCurrent = false
    // The registration stays, and works when the user decides otherwise (7.13).
    if grant.status == .denied || grant.status == .restricted {
      return send(.monitoringFailed(region, .regionMonitoringDenied), to: id)
    }
    send(.monitoringStarted(region), to: id)
    // The engine does not report an unchanged region again.
    if let place, regions[place].state != .unknown { requestState(region, for: id) }
  }

  /// Ends the monitoring of a region, whichever manager started it.
  package mutating func stopMonitoring(_ identifier: String) {
    regions.removeAll { $0.region.identifier == identifier }
    notices.removeAll { notice in
      switch notice.notice {
      case .state(_, let region), .entered(let region), .exited(let region):
        region.identifier == identifier
      default: false
      }
    }
    areRulesCurrent = false
  }

  /// Sends a manager the state of a region.
  package mutating func requestState(_ region: Region, for id: ClientID) {
    let known = regions.first { $0.region.identifier == region.identifier }
    let mayKnow = grant.isAuthorized && grant.accuracy == .full
    send(.state(mayKnow ? known?.state ?? .unknown : .unknown, known?.region ?? region), to: id)
  }

  /// The fence of a region.
  func fence(_ monitored: MonitoredRegion) -> Fence {
    let region = monitored.region
    return circle(Self.regionPrefix + region.identifier, region.center, region.radius)
  }

  func circle(_ id: String, _ center: Coordinate, _ radius: Double) -> Fence {
    var fence = Fence(id: id, area: .circle(Circle(center: center, radius: radius)))
    fence.decision = profile.decision
    return fence
  }

  /// Notes the engine's event of a fence, and sends it.
  mutating func note(_ fence: String, _ state: Containment, _ event: Event) {
    if fence.hasPrefix(Self.conditionPrefix) { return noteCondition(fence, state, event) }
    let identifier = String(fence.dropFirst(Self.regionPrefix.count))
    guard let place = regions.firstIndex(where: { $0.region.identifier == identifier }) else {
      return
    }
    regions[place].state = state
    observe(event.renamed(identifier))
    guard mayWake else { return withheld += 1 }
    let region = regions[place].region
    sendToManagers(.state(state, region))
    if case .enter = event.statement, region.notifiesOnEntry { sendToManagers(.entered(region)) }
    if case .exit = event.statement, region.notifiesOnExit { sendToManagers(.exited(region)) }
  }
}

extension Event {
  /// The same event of a fence with another name.
  func renamed(_ fence: String) -> Event {
    var event = self
    switch statement {
    case .enter(_, let crossing): event.statement = .enter(fence: fence, crossing)
    case .exit(_, let crossing, let inside):
      event.statement = .exit(fence: fence, crossing, inside: inside)
    case .state(_, let state, let confidence):
      event.statement = .state(fence: fence, state, confidence: confidence)
    case .dwell(_, let inside): event.statement = .dwell(fence: fence, inside: inside)
    case .visit, .significantChange: break
    }
    return event
  }
}
