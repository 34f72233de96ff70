internal import Delivering
internal import Services

/// The open sessions of a service, and the listeners to their diagnoses.
struct SessionRegistry: Sendable {
  /// What a listener subscribes to.
  enum Subject: Sendable, Hashable {
    case session(ServiceSession.ID)
    case activity
  }

  private struct Listener {
    let subject: Subject
    let buffer: AsyncBuffer<Diagnosis>
    var sent: Diagnosis?
  }

  private var listeners: [Listener] = []
  /// Sessions opened by streams.
  private var implicit: Set<ServiceSession.ID> = []
  /// Background activity sessions, which keep the program in use in the background.
  private var activities = 0
  /// How many subscriptions use a region that is monitored for subscriptions only.
  private var regionUses: [String: Int] = [:]

  var listenerCount: Int { listeners.count }

  mutating func add(_ buffer: AsyncBuffer<Diagnosis>, to subject: Subject) {
    listeners.append(Listener(subject: subject, buffer: buffer))
  }

  mutating func remove(_ buffer: AsyncBuffer<Diagnosis>) {
    listeners.removeAll { $0.buffer === buffer }
  }

  /// Counts a use of regions; a region of `others` that no subscription uses is monitored by a client
  /// anyway, and not counted.
  mutating func beginUse(of regions: Set<String>, besides others: Set<String>) {
    for region in regions where regionUses[region] != nil || !others.contains(region) {
      regionUses[region, default: 0] += 1
    }
  }

  /// Ends a use of regions; returns those without further uses.
  mutating func endUse(of regions: Set<String>) -> [String] {
    var unused: [String] = []
    for region in regions.sorted() {
      guard let uses = regionUses[region] else { continue }
      regionUses[region] = uses > 1 ? uses - 1 : nil
      if uses == 1 { unused.append(region) }
    }
    return unused
  }

  mutating func beginActivity() { activities += 1 }
  mutating func endActivity() { activities -= 1 }

  mutating func beginImplicit(_ id: ServiceSession.ID) { implicit.insert(id) }

  /// Ends a session and the diagnoses of its listeners.
  mutating func end(_ id: ServiceSession.ID) {
    implicit.remove(id)
    for listener in listeners where listener.subject == .session(id) { listener.buffer.finish() }
    listeners.removeAll { $0.subject == .session(id) }
  }

  /// Passes the effects of the open sessions to `core`.
  func apply(to core: inout ServiceCore, _ authorization: AuthorizationController) {
    // "Always" works in the background only while a session requires it (10.3).
    let isHeld =
      activities > 0 || authorization.need == .always && authorization.grant.status == .always
    if core.isHeldActive != isHeld { core.isHeldActive = isHeld }
    let isMissing = implicit.contains { authorization.diagnosis(of: $0).serviceSessionRequired }
    if core.isSessionMissing != isMissing { core.isSessionMissing = isMissing }
  }

  /// Sends every changed diagnosis to its listeners, and the current one to new listeners.
  mutating func notify(_ core: ServiceCore, _ authorization: AuthorizationController) {
    for index in listeners.indices {
      let diagnosis =
        switch listeners[index].subject {
        case .session(let id): authorization.diagnosis(of: id)
        case .activity: core.diagnosis
        }
      guard listeners[index].sent != diagnosis else { continue }
      listeners[index].sent = diagnosis
      listeners[index].buffer.put(diagnosis)
    }
  }
}

extension LocationService {
  /// Opens a session and requests the permission that it needs.
  func begin(_ session: ServiceSession) -> ServiceSession.ID {
    step { $0.authorization.open(session) }
  }

  /// Opens the implicit session of a stream (9.5).
  func beginImplicitSession() -> ServiceSession.ID {
    step { state in
      let id = state.authorization.open(.ofStream)
      state.sessions.beginImplicit(id)
      return id
    }
  }

  func endSession(_ id: ServiceSession.ID) {
    step { state in
      state.authorization.close(id)
      state.sessions.end(id)
    }
  }

  /// Keeps the program in use in the background until each call is matched by ``endActivity()``.
  func beginActivity() { step { $0.sessions.beginActivity() } }
  func endActivity() { step { $0.sessions.endActivity() } }
}
