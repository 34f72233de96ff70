internal import Dispatch
internal import Locking
internal import Services

/// What of a service lasts between launches: the user's decisions, what is watched, the engine's
/// state.
///
/// Files are written on a queue, never on the thread that changed something. What changes while a
/// write goes on is written together after it. Without a folder only a permission file is written.
final class Archive: Sendable {
  /// What the queue has to write.
  private struct Pending {
    var record: PermissionRecord?
    var state: ServiceState?
    /// The service to inform when the system refuses.
    weak var service: LocationService?
    /// Whether the queue is writing, or will be.
    var isScheduled = false
  }

  private let keeper: Mutex<PermissionPolicy.Keeper>
  private let store: (any StateStore)?
  private let log: ServiceLog
  private let queue = DispatchQueue(label: "waymark.state")
  private let queueKey = DispatchSpecificKey<Void>()
  private let pending = Mutex(Pending())

  init(_ setup: ServiceSetup) {
    let log = setup.log
    self.log = log
    var store = setup.stateStore
    if store == nil, let folder = setup.stateFolder {
      do throws(StoreError) {
        store = try ServiceStore(folder: folder, say: { log($0) })
      } catch {
        log(error.description)
      }
    }
    self.store = store
    keeper = Mutex(
      PermissionPolicy.Keeper(setup.policy, stateFile: store?.permissionFile))
    queue.setSpecific(key: queueKey, value: ())
    ExitHandler.add(self)
  }

  /// Whether there is a folder.
  var isOpen: Bool { store != nil }

  /// The initial state of a service.
  func open(_ setup: ServiceSetup) -> LocationService.State {
    let record = keeper.withLock { $0.open(say: { log($0) }) }
    let desk = AuthorizationDesk(
      profile: setup.profile, purposes: setup.purposes, record: record)
    var state = LocationService.State(
      core: ServiceCore(profile: setup.profile, grant: desk.grant), desk: desk)
    guard let store else {
      // A folder was named, but another program has it or the system refuses.
      state.core.isPersistenceUnavailable = setup.stateFolder != nil
      return state
    }
    if let kept = store.load() {
      state.core.resume(kept.registrations, kept.engine)
      _ = state.core.takeLetters()
    }
    state.kept = LocationService.Kept(of: state.core)
    state.pending = PendingEvents(store.pending())
    return state
  }

  /// Saves what the user has decided, soon.
  func keep(_ record: PermissionRecord) {
    pending.withLock { pending in
      pending.record = record
      schedule(&pending)
    }
  }

  /// Saves what is watched and the engine's state, soon; monitors are told when the system refuses
  /// (8.7).
  func save(_ service: LocationService) {
    guard isOpen else { return }
    // The state is read under this lock, so a newer one is never overwritten by an older one.
    pending.withLock { pending in
      pending.state = service.state.withLock { state in
        state.kept = LocationService.Kept(of: state.core)
        return ServiceState(
          state.core.registrations, engine: state.core.now == nil ? nil : state.core.checkpoint,
          grant: state.core.grant, profile: state.core.profile)
      }
      pending.service = service
      schedule(&pending)
    }
  }

  /// The events found while the program did not run have been delivered.
  func takePending() { store?.takePending() }

  /// Waits until everything that was to be saved is on the disk, or was refused.
  func flush() {
    // On the queue itself a write is going on, whose end nothing here can wait for.
    guard DispatchQueue.getSpecific(key: queueKey) == nil else { return }
    queue.sync {}
  }

  /// The same, for at most `seconds`.
  func flush(within seconds: Double) {
    guard DispatchQueue.getSpecific(key: queueKey) == nil else { return }
    let isSaved = DispatchSemaphore(value: 0)
    queue.async { isSaved.signal() }
    _ = isSaved.wait(timeout: .now() + seconds)
  }

  // MARK: The queue

  private func schedule(_ pending: inout Pending) {
    guard !pending.isScheduled else { return }
    pending.isScheduled = true
    queue.async { self.write() }
  }

  private func write() {
    while let next = take() {
      if let state = next.state { write(state, of: next.service) }
      if let record = next.record {
        keeper.withLock { $0.keep(record, say: { log($0) }) }
      }
    }
  }

  private func write(_ state: ServiceState, of service: LocationService?) {
    guard let store else { return }
    let isRefused = !store.save(state)
    guard let service, service.look(\.core.isPersistenceUnavailable) != isRefused else { return }
    service.perform { $0.isPersistenceUnavailable = isRefused }
  }

  /// What to write next; nil when there is nothing more.
  private func take() -> Pending? {
    pending.withLock { pending in
      guard pending.record != nil || pending.state != nil else {
        pending.isScheduled = false
        return nil
      }
      defer { (pending.record, pending.state) = (nil, nil) }
      return pending
    }
  }
}
