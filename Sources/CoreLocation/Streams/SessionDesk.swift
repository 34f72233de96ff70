internal import Services

/// The sessions that are open in one service, and who listens to how they are.
struct SessionDesk: Sendable {
  /// What a listener wants to know of.
  enum Subject: Sendable, Hashable {
    case session(ServiceSession.ID)
    case activity
  }

  private struct Listener {
    let subject: Subject
    let mailbox: Mailbox<Diagnosis>
    var told: Diagnosis?
  }

  private var listeners: [Listener] = []
  /// Those that come with streams.
  private var implicit: Set<ServiceSession.ID> = []
  /// Sessions by which the program is in use in the background too.
  private var activities = 0
  /// How many runs use a region that is monitored for them alone.
  private var regionUses: [String: Int] = [:]

  var listenerCount: Int { listeners.count }

  mutating func add(_ mailbox: Mailbox<Diagnosis>, to subject: Subject) {
    listeners.append(Listener(subject: subject, mailbox: mailbox))
  }

  mutating func remove(_ mailbox: Mailbox<Diagnosis>) {
    listeners.removeAll { $0.mailbox === mailbox }
  }

  /// Somebody uses regions; those that are `others` are not monitored for this.
  mutating func beginUse(of regions: Set<String>, besides others: Set<String>) {
    for region in regions where regionUses[region] != nil || !others.contains(region) {
      regionUses[region, default: 0] += 1
    }
  }

  /// The regions that nobody uses any more.
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

  /// A session is over: nobody hears more of it.
  mutating func end(_ id: ServiceSession.ID) {
    implicit.remove(id)
    for listener in listeners where listener.subject == .session(id) { listener.mailbox.finish() }
    listeners.removeAll { $0.subject == .session(id) }
  }

  /// Says in `core` what the sessions hold.
  func hold(_ core: inout ServiceCore, _ desk: AuthorizationDesk) {
    // "Always" works in the background only while it is asked for (10.3).
    let isHeld = activities > 0 || desk.need == .always && desk.grant.status == .always
    if core.isHeldActive != isHeld { core.isHeldActive = isHeld }
    let isMissing = implicit.contains { desk.diagnosis(of: $0).serviceSessionRequired }
    if core.isSessionMissing != isMissing { core.isSessionMissing = isMissing }
  }

  /// Tells those for whom something is different, and those who have heard nothing yet.
  mutating func tell(_ core: ServiceCore, _ desk: AuthorizationDesk) {
    for index in listeners.indices {
      let diagnosis =
        switch listeners[index].subject {
        case .session(let id): desk.diagnosis(of: id)
        case .activity: core.diagnosis
        }
      guard listeners[index].told != diagnosis else { continue }
      listeners[index].told = diagnosis
      listeners[index].mailbox.put(diagnosis)
    }
  }
}

extension LocationService {
  /// Opens a session and asks for what it needs.
  func begin(_ session: ServiceSession) -> ServiceSession.ID {
    step { $0.desk.open(session) }
  }

  /// The session that comes with a stream (9.5).
  func beginImplicitSession() -> ServiceSession.ID {
    step { state in
      let id = state.desk.open(.ofStream)
      state.sessions.beginImplicit(id)
      return id
    }
  }

  func endSession(_ id: ServiceSession.ID) {
    step { state in
      state.desk.close(id)
      state.sessions.end(id)
    }
  }

  /// The program is in use in the background too, until as many ends as beginnings were said.
  func beginActivity() { step { $0.sessions.beginActivity() } }
  func endActivity() { step { $0.sessions.endActivity() } }
}
