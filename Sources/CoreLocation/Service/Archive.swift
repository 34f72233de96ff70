internal import Dispatch
internal import Locking
internal import Services

/// Saves the state of a service that lasts between launches: the user's decisions, the registrations and
/// the engine's state.
///
/// Files are written on a queue, never on the thread that changed something. Changes during a write are
/// written together after it. Without a state folder only a permission file is written.
final class Archive: Sendable {
  /// What the queue must write.
  private struct Pending {
    var record: PermissionRecord?
    var state: ServiceState?
    /// The service that a failure concerns.
    weak var service: LocationService?
    /// Whether a write is scheduled or in progress.
    var isScheduled = false
  }

  private let permission: Mutex<PermissionPolicy.Store>
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
        store = try ServiceStore(folder: folder, log: { log($0) })
      } catch {
        log(error.description)
      }
    }
    self.store = store
    permission = Mutex(
      PermissionPolicy.Store(setup.policy, stateFile: store?.permissionFile))
    queue.setSpecific(key: queueKey, value: ())
    ExitHandler.add(self)
  }

  /// Whether there is a folder.
  var isOpen: Bool { store != nil }

  /// The initial state of a service.
  func open(_ setup: ServiceSetup) -> LocationService.State {
    let record = permission.withLock { $0.open(log: { log($0) }) }
    let authorization = AuthorizationController(
      profile: setup.profile, purposes: setup.purposes, record: record)
    var state = LocationService.State(
      core: ServiceCore(profile: setup.profile, grant: authorization.grant),
      authorization: authorization)
    guard let store else {
      // A folder was named, but another program has it or the system refuses.
      state.core.isPersistenceUnavailable = setup.stateFolder != nil
      return state
    }
    if let saved = store.load() {
      state.core.resume(saved.registrations, saved.engine)
      _ = state.core.takeNotices()
    }
    state.saved = LocationService.SavedState(of: state.core)
    state.pending = PendingEvents(store.pending())
    return state
  }

  /// Saves the user's decisions, soon.
  func save(_ record: PermissionRecord) {
    pending.withLock { pending in
      pending.record = record
      schedule(&pending)
    }
  }

  /// Saves the registrations and the engine's state, soon; monitors report a failure (8.7).
  func save(_ service: LocationService) {
    guard isOpen else { return }
    // The state is read under this lock, so an older state never overwrites a newer one.
    pending.withLock { pending in
      pending.state = service.state.withLock { state in
        state.saved = LocationService.SavedState(of: state.core)
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

  /// Waits until all changes so far are on the disk, or could not be written.
  func flush() {
    // On the queue itself a write is in progress; waiting for it would deadlock.
    guard DispatchQueue.getSpecific(key: queueKey) == nil else { return }
    queue.sync {}
  }

  /// The same, but waits at most `seconds`.
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
        permission.withLock { $0.save(record, log: { log($0) }) }
      }
    }
  }

  private func write(_ state: ServiceState, of service: LocationService?) {
    guard let store else { return }
    let isRefused = !store.save(state)
    guard let service, service.read(\.core.isPersistenceUnavailable) != isRefused else { return }
    service.perform { $0.isPersistenceUnavailable = isRefused }
  }

  /// What to write next; nil when everything is written.
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
