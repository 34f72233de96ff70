internal import Locking
internal import Services
internal import Tracking

/// What all managers, monitors and streams of a program share: where fixes come from, what the user
/// allows, what is watched, and who is told.
///
/// A program has one, ``shared``, and needs to know nothing of it: the environment sets it up, or
/// ``configure(_:)``. Tests make services of their own with ``isolated(_:_:)`` and play recordings
/// through them.
public final class LocationService: Sendable {
  private static let sharedSetup = SharedSetup()

  /// The service of the program, set up by ``configure(_:)``, else by the environment when it is first
  /// used.
  public static let shared = LocationService(
    ServiceSetup(shared: sharedSetup.take { .fromEnvironment() }), isIsolated: false)

  /// Sets up ``shared`` in code, in the place of the environment.
  ///
  /// Call it once, at the start of the program, before the first manager, monitor, stream, session or
  /// geocoder is made, from any thread. Of the environment nothing is looked at then but what `waymark
  /// launch` says; a program that is to go by it but for one thing changes
  /// ``Configuration/fromEnvironment()``.
  /// - Throws: ``LocationServiceError`` when it was called before, when the service is in use, and for
  ///   a source, a file or a folder that cannot be meant; then nothing is changed.
  public static func configure(
    _ configuration: Configuration
  ) throws(LocationServiceError) {
    try sharedSetup.give(configuration)
  }

  @TaskLocal private static var own: LocationService?

  /// The service that new managers, monitors and streams belong to: an isolated one within
  /// ``isolated(_:_:)``, else ``shared``.
  public static var current: LocationService { own ?? shared }

  /// Whether whoever plays something delivers it, rather than the threads of the managers.
  let isIsolated: Bool
  let setup: ServiceSetup
  let state: Mutex<State>
  let deliveries = DeliveryQueue()
  let room = Room()
  let backpressure = Backpressure()
  let sources: SourceKeeper
  let archive: Archive
  let geocoding: GeocodingDesk

  init(_ setup: ServiceSetup, isIsolated: Bool) {
    self.setup = setup
    self.isIsolated = isIsolated
    sources = SourceKeeper(setup.source)
    archive = Archive(setup)
    geocoding = GeocodingDesk(
      setup.geocoder, window: GeocodingWindow(limit: setup.profile.geocodingLimit))
    state = Mutex(archive.open(setup))
    sources.adopt(self)
  }

  // MARK: Services of one's own

  /// A service of its own for the code in `body`, in which nothing comes from the environment.
  ///
  /// Managers made in it are told by whoever plays something, in order, on that thread.
  public static func isolated<R>(
    _ configuration: Configuration = Configuration(), _ body: (LocationService) throws -> R
  ) rethrows -> R {
    let service = LocationService(ServiceSetup(isolated: configuration), isIsolated: true)
    defer { service.flush() }
    return try $own.withValue(service) { try body(service) }
  }

  /// A service of its own for the code in `body`, in which nothing comes from the environment.
  ///
  /// Managers made in it are told by whoever plays something, in order, on that thread.
  public nonisolated(nonsending) static func isolated<R>(
    _ configuration: Configuration = Configuration(),
    _ body: nonisolated(nonsending) (LocationService) async throws -> R
  ) async rethrows -> R {
    let service = LocationService(ServiceSetup(isolated: configuration), isIsolated: true)
    defer { service.flush() }
    return try await $own.withValue(service) { try await body(service) }
  }

  /// Waits until everything so far that lasts between launches is on the disk, or the system refused
  /// it.
  ///
  /// It is being written already, on a queue of the service, and the normal end of the process waits
  /// for that. Call this where a power cut or a kill from now on must not lose it.
  public func flush() { archive.flush() }

  /// Makes it the current service for the code in `body`, on this thread.
  func run<R>(_ body: () throws -> R) rethrows -> R { try Self.$own.withValue(self) { try body() } }

  // MARK: Clients

  /// Where something that is made here and now is told.
  var target: DeliveryTarget { isIsolated ? .service(deliveries) : .here }

  /// Does something with the core, then puts what it says where it is taken.
  ///
  /// Everything is one step for other threads. `body` must not call the service.
  @discardableResult
  func perform<R: Sendable>(_ body: (inout ServiceCore) -> R) -> R {
    step { body(&$0.core) }
  }

  /// Adds somebody who is told things.
  ///
  /// `receive` is called in order, from any thread, within a step of the service: it may only put the
  /// notice away, and must not call the service.
  func attach(
    _ kind: ClientKind, _ receive: @escaping @Sendable (Notice) -> Void
  ) -> ClientID {
    attach(kind, Recipients.Recipient.listener(receive))
  }

  /// Adds a manager.
  func attach(_ kind: ClientKind, _ inbox: Inbox) -> ClientID {
    attach(kind, Recipients.Recipient.manager(inbox))
  }

  private func attach(_ kind: ClientKind, _ recipient: Recipients.Recipient) -> ClientID {
    let (id, isPendingTaken) = step { state in
      let id = state.core.add(kind)
      state.recipients.add(recipient, as: id)
      if case .monitor(let name) = kind, state.core.grant.isAuthorized {
        let notices = state.pending.takeConditions(of: name)
        state.recipients.deliver(notices.map { Letter(to: id, $0) })
        return (id, !notices.isEmpty && state.pending.isEmpty)
      }
      return (id, false)
    }
    if isPendingTaken { archive.takePending() }
    return id
  }

  /// Forgets somebody; nothing is told there any more.
  func detach(_ id: ClientID) {
    // What the recipient holds may end with it, and call the service: so it goes after the step.
    let recipient = step { state in
      state.core.remove(id)
      return state.recipients.remove(id)
    }
    guard let inbox = recipient?.inbox else { return }
    inbox.close()
    state.withLock { $0.droppedCount += inbox.droppedCount }
  }

  /// Ends a manager's standard updates; what was not told of them is taken back.
  func stopUpdating(_ id: ClientID) {
    step { state in
      state.core.stopUpdating(id)
      state.recipients[id]?.inbox?.withdraw { delivery in
        guard case .locations(_, let service) = delivery else { return false }
        return service != .significantChange
      }
    }
  }

  /// Ends the monitoring of a region; what was not told of it is taken back.
  func stopMonitoring(_ identifier: String) {
    step { state in
      state.core.stopMonitoring(identifier)
      for inbox in state.recipients.inboxes { inbox.withdraw { $0.isAbout(region: identifier) } }
    }
  }

  /// Has a manager that has a delegate told of what was found while the program did not run.
  func deliverPending(to client: ClientID, _ inbox: Inbox) {
    guard look({ $0.pending.isForManagers && $0.core.grant.isAuthorized }) else { return }
    let (notices, isEmpty) = step { state in
      let notices = state.pending.takeNotices()
      for case .locations(let reports, .significantChange) in notices {
        if let report = reports.last { state.core.takeNote(ofTold: report, to: client) }
      }
      return (notices, state.pending.isEmpty)
    }
    var telling = Telling()
    for notice in notices { inbox.put(telling(notice)) }
    // They stay in the folder until they have been told: the program may end before that.
    if isEmpty { inbox.put(.call { manager in manager.service.archive.takePending() }) }
  }

  /// Locations of the past, as the program may know them.
  func history(count: Int) -> Result<[Report], Failure> {
    perform { core in
      guard core.grant.isAuthorized else { return .failure(.denied) }
      return count > 0 ? .success(core.history(count: count)) : .failure(.historicalLocation)
    }
  }

  // MARK: Steps

  /// Who takes a step.
  enum Actor { case client, source }

  /// One step: what `body` does, and letters put where they are taken.
  ///
  /// Afterwards, and without the lock, prompts are shown, the source is started or stopped, and what
  /// lasts is handed to the queue that writes it.
  @discardableResult
  func step<R: Sendable>(_ actor: Actor = .client, _ body: (inout State) -> R) -> R {
    let (result, aftermath) = state.withLock { state in
      let result = body(&state)
      return (result, state.settle(by: actor, keepsRegistrations: archive.isOpen))
    }
    if !aftermath.isEmpty { finish(aftermath) }
    // What a client asks for may be due earlier than what the source waits for.
    if actor == .client { sources.poke() }
    return result
  }

  /// Looks something up.
  func look<R: Sendable>(_ body: (borrowing State) -> R) -> R { state.withLock { body($0) } }

  private func finish(_ aftermath: Aftermath) {
    if aftermath.isSourceNeedNew { sources.follow() }
    if aftermath.areRegistrationsNew { archive.save(self) }
    for answer in aftermath.answers { answer() }
    for message in aftermath.messages { setup.log(message) }
    for prompt in aftermath.prompts { ask(prompt) }
  }
}
