internal import Delivering
internal import Locking
internal import Services
internal import Tracking

/// The state that all managers, monitors and streams of a program share: the source of fixes, the
/// permission, the registrations and the clients.
///
/// A program has one, ``shared``, and need not use it directly: the environment configures it, or
/// ``configure(_:)``. Tests make separate services with `isolated` and play recordings through
/// them.
public final class LocationService: Sendable {
  private static let sharedSetup = SharedSetup()

  /// The service of the program, configured by ``configure(_:)``, otherwise by the environment on first
  /// use.
  public static let shared = LocationService(
    ServiceSetup(shared: sharedSetup.take { .fromEnvironment() }), isIsolated: false)

  /// Configures ``shared`` in code, in place of the environment.
  ///
  /// Call it once, at the start of the program, before the first manager, monitor, stream, session or
  /// geocoder is made, from any thread. The environment is then ignored, except for the variable of
  /// `waymark launch`. To change single values of the environment, start with
  /// ``Configuration/fromEnvironment()``.
  /// - Throws: ``LocationServiceError`` when it was called before, when the service is in use, and for an
  ///   invalid source, file or folder; then nothing is changed.
  public static func configure(
    _ configuration: Configuration
  ) throws(LocationServiceError) {
    try sharedSetup.configure(configuration)
  }

  @TaskLocal private static var own: LocationService?

  /// The service that new managers, monitors and streams belong to: an isolated one within
  /// `isolated`, otherwise ``shared``.
  public static var current: LocationService { own ?? shared }

  /// Whether the replaying thread delivers, not the threads of the managers.
  package let isIsolated: Bool
  let setup: ServiceSetup
  let state: Mutex<State>
  let scheduler = IsolatedScheduler()
  let fullQueues = FullQueueCounter()
  let backpressure = Backpressure()
  let sources: SourceController
  let archive: Archive
  let geocoding: GeocodingContext

  init(_ setup: ServiceSetup, isIsolated: Bool) {
    self.setup = setup
    self.isIsolated = isIsolated
    sources = SourceController(setup.source)
    archive = Archive(
      setup.policy, store: setup.stateStore, folder: setup.stateFolder, log: { setup.log($0) })
    geocoding = GeocodingContext(
      setup.geocoder, rateLimiter: GeocodingRateLimiter(limit: setup.profile.geocodingLimit))
    state = Mutex(State(setup, archive))
    sources.setService(self)
    if read({ !$0.pending.isEmpty && !$0.core.grant.isAuthorized }) {
      setup.log(
        "events that happened while the program did not run wait for its permission, which was not kept: "
          + "request it with the state folder in place, or set WAYMARK_PERMISSION in each launch")
    }
  }

  // MARK: Isolated services

  /// Runs `body` with a separate service that does not use the environment.
  ///
  /// The thread that replays calls the delegates of its managers, in order.
  public static func isolated<R>(
    _ configuration: Configuration = Configuration(), _ body: (LocationService) throws -> R
  ) rethrows -> R {
    let service = LocationService(ServiceSetup(isolated: configuration), isIsolated: true)
    defer { service.flush() }
    return try $own.withValue(service) { try body(service) }
  }

  /// Runs `body` with a separate service that does not use the environment.
  ///
  /// The thread that replays calls the delegates of its managers, in order.
  public nonisolated(nonsending) static func isolated<R>(
    _ configuration: Configuration = Configuration(),
    _ body: nonisolated(nonsending) (LocationService) async throws -> R
  ) async rethrows -> R {
    let service = LocationService(ServiceSetup(isolated: configuration), isIsolated: true)
    defer { service.flush() }
    return try await $own.withValue(service) { try await body(service) }
  }

  /// Waits until the state that lasts between launches is on the disk, or could not be written.
  ///
  /// The service writes it on a queue by itself, and the normal exit of the process waits for that. Call
  /// this if a power cut or a kill from now on must not lose it.
  public func flush() { archive.flush() }

  /// Runs `body` on this thread with this service as the current one.
  func run<R>(_ body: () throws -> R) rethrows -> R { try Self.$own.withValue(self) { try body() } }

  // MARK: Clients

  /// The delivery target for a manager made on this thread.
  var target: DeliveryTarget { isIsolated ? .service(scheduler) : .here }

  /// Runs `body` on the core, then delivers its notices.
  ///
  /// All of it is atomic for other threads. `body` must not call the service.
  @discardableResult
  func perform<R: Sendable>(_ body: (inout ServiceCore) -> R) -> R {
    step { body(&$0.core) }
  }

  /// Adds a client that is not a manager.
  ///
  /// `receive` is called in order, from any thread, within a step of the service: it may only store the
  /// notice, and must not call the service.
  func attach(
    _ kind: ClientKind, _ receive: @escaping @Sendable (Notice) -> Void
  ) -> ClientID {
    attach(kind, Recipients.Recipient.listener(receive))
  }

  /// Adds a manager.
  func attach(_ kind: ClientKind, _ queue: ManagerQueue) -> ClientID {
    attach(kind, Recipients.Recipient.manager(queue))
  }

  private func attach(_ kind: ClientKind, _ recipient: Recipients.Recipient) -> ClientID {
    let (id, isPendingTaken) = step { state in
      let id = state.core.add(kind)
      state.recipients.add(recipient, as: id)
      if case .monitor(let name) = kind, state.core.grant.isAuthorized {
        let notices = state.pending.takeConditions(of: name)
        state.recipients.deliver(notices.map { AddressedNotice(to: id, $0) })
        return (id, !notices.isEmpty && state.pending.isEmpty)
      }
      return (id, false)
    }
    if isPendingTaken { archive.takePending() }
    return id
  }

  /// Removes a client; it gets no further notices.
  func detach(_ id: ClientID) {
    // Objects that the recipient owns may call the service when released, so it is released after the
    // step.
    let recipient = step { state in
      state.core.remove(id)
      return state.recipients.remove(id)
    }
    guard let queue = recipient?.queue else { return }
    queue.close()
    state.withLock { $0.droppedCount += queue.droppedCount }
  }

  /// Stops a manager's standard updates and drops their pending locations.
  func stopUpdating(_ id: ClientID) {
    step { state in
      state.core.stopUpdating(id)
      state.recipients[id]?.queue?.withdraw { delivery in
        guard case .locations(_, let service) = delivery else { return false }
        return service != .significantChange
      }
    }
  }

  /// Stops a manager's headings and drops the pending ones.
  func stopHeadings(_ id: ClientID) {
    step { state in
      state.core.stopHeadings(id)
      state.recipients[id]?.queue?.withdraw(where: \.isHeading)
    }
  }

  /// Stops monitoring a region and drops its pending notices.
  func stopMonitoring(_ identifier: String) {
    step { state in
      state.core.stopMonitoring(identifier)
      for queue in state.recipients.managerQueues {
        queue.withdraw { $0.isAbout(region: identifier) }
      }
    }
  }

  /// Delivers the events found while the program did not run to a manager that has a delegate.
  func deliverPending(to client: ClientID, _ queue: ManagerQueue) {
    guard read({ $0.pending.isForManagers && $0.core.grant.isAuthorized }) else { return }
    let (notices, isEmpty) = step { state in
      let notices = state.pending.takeNotices()
      for case .locations(let locations, .significantChange) in notices {
        if let last = locations.last { state.core.noteDelivered(last, to: client) }
      }
      return (notices, state.pending.isEmpty)
    }
    var converter = DeliveryConverter()
    for notice in notices { queue.put(converter(notice)) }
    // They stay in the folder until they are delivered: the program may exit before that.
    if isEmpty { queue.put(.call { manager in manager.service.archive.takePending() }) }
  }

  /// Past locations, with the program's permission.
  func history(count: Int) -> Result<[Location], Failure> {
    perform { core in
      guard core.grant.isAuthorized else { return .failure(.denied) }
      return count > 0 ? .success(core.history(count: count)) : .failure(.historicalLocation)
    }
  }

  // MARK: Steps

  /// The origin of a step.
  enum Actor { case client, source }

  /// Runs `body` on the state under the lock, and delivers the notices.
  ///
  /// Afterwards, without the lock, prompts are shown, the source is started or stopped, and lasting
  /// state is passed to the queue that writes it.
  @discardableResult
  func step<R: Sendable>(_ actor: Actor = .client, _ body: (inout State) -> R) -> R {
    let (result, effects) = state.withLock { state in
      let result = body(&state)
      return (
        result, state.settle(by: actor, savesState: archive.isOpen, hasOneEnd: hasOneEnd)
      )
    }
    if !effects.isEmpty { run(effects) }
    // A client's request may have an earlier deadline than the one that the source waits for.
    if actor == .client { sources.poke() }
    return result
  }

  /// Reads from the state under the lock.
  func read<R: Sendable>(_ body: (borrowing State) -> R) -> R { state.withLock { body($0) } }

  private func run(_ effects: StepEffects) {
    if effects.changesSourceNeed { sources.update() }
    if effects.needsSaving { archive.save(self) }
    for completion in effects.completions { completion() }
    for message in effects.messages { setup.log(message) }
    for prompt in effects.prompts { ask(prompt) }
  }
}
