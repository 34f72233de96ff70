internal import Dispatch
internal import Locking

/// A service whose state an ``Archive`` saves.
package protocol SavedService: AnyObject, Sendable {
  /// The state as it is now, which counts as saved from now on.
  func stateToSave() -> ServiceState
  /// The last state was written, or the system refused.
  func saved(isRefused: Bool)
}

/// Saves the state of a service that lasts between launches: the user's decisions, the registrations and
/// the engine's state.
///
/// Files are written on a queue, never on the thread that changed something. Changes during a write are
/// written together after it. Without a state folder only a permission file is written.
package final class Archive: Sendable {
  /// What the queue must write.
  private struct Pending {
    var record: PermissionRecord?
    var state: ServiceState?
    /// The service that a failure concerns.
    weak var service: (any SavedService)?
    /// Whether a write is scheduled or in progress.
    var isScheduled = false
  }

  private let permission: Mutex<PermissionPolicy.Store>
  private let store: (any StateStore)?
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "waymark.state")
  private let queueKey = DispatchSpecificKey<Void>()
  private let pending = Mutex(Pending())

  /// - Parameters:
  ///   - store: Saves state in place of `folder`; for tests.
  ///   - folder: The state folder; nil when there is none.
  ///   - log: Receives what goes wrong.
  package init(
    _ policy: PermissionPolicy, store: (any StateStore)?, folder: String?,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.log = log
    var store = store
    if store == nil, let folder {
      do throws(StoreError) {
        store = try ServiceStore(folder: folder, log: log)
      } catch {
        log(error.description)
      }
    }
    self.store = store
    permission = Mutex(PermissionPolicy.Store(policy, stateFile: store?.permissionFile))
    queue.setSpecific(key: queueKey, value: ())
    ExitHandler.add(self)
  }

  /// Whether state is saved: there is a folder, and no other program has it.
  package var isOpen: Bool { store != nil }

  /// The user's decisions at the start of the program; nil when there are none.
  package func loadRecord() -> PermissionRecord? { permission.withLock { $0.open(log: log) } }

  /// The saved state; nil when there is none.
  package func loadState() -> ServiceState? { store?.load() }

  /// The events while the program did not run, oldest first.
  package func loadPending() -> [PendingEvent] { store?.pending() ?? [] }

  /// Saves the user's decisions, soon.
  package func save(_ record: PermissionRecord) {
    pending.withLock { pending in
      pending.record = record
      schedule(&pending)
    }
  }

  /// Saves the registrations and the engine's state, soon; monitors report a failure (8.7).
  package func save(_ service: some SavedService) {
    guard isOpen else { return }
    // The state is read under this lock, so an older state never overwrites a newer one.
    pending.withLock { pending in
      pending.state = service.stateToSave()
      pending.service = service
      schedule(&pending)
    }
  }

  /// The events found while the program did not run have been delivered.
  package func takePending() { store?.takePending() }

  /// Waits until all changes so far are on the disk, or could not be written.
  package func flush() {
    // On the queue itself a write is in progress; waiting for it would deadlock.
    guard DispatchQueue.getSpecific(key: queueKey) == nil else { return }
    queue.sync {}
  }

  /// The same, but waits at most `seconds`.
  package func flush(within seconds: Double) {
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
        permission.withLock { $0.save(record, log: log) }
      }
    }
  }

  private func write(_ state: ServiceState, of service: (any SavedService)?) {
    guard let store else { return }
    let isRefused = !store.save(state)
    service?.saved(isRefused: isRefused)
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
