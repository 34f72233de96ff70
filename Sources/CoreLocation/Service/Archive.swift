internal import Locking
internal import Services
internal import struct Synchronization.Atomic

/// What of a service lasts between launches: the user's decisions, what is watched, where the engine
/// is.
///
/// Without a folder nothing does, but for what a permission file of its own keeps.
final class Archive: Sendable {
  private let keeper: Mutex<PermissionPolicy.Keeper>
  private let store: ServiceStore?
  private let log: @Sendable (String) -> Void
  /// Held while the state is read and written, so that the newest is what stays.
  private let saving = Mutex(())
  /// Whether the system took what was written last.
  private let isKept = Atomic(true)

  init(_ setup: ServiceSetup) {
    log = setup.log
    var store: ServiceStore?
    if let folder = setup.stateFolder {
      do throws(StoreError) {
        store = try ServiceStore(folder: folder, say: log)
      } catch {
        log(error.description)
      }
    }
    self.store = store
    keeper = Mutex(
      PermissionPolicy.Keeper(setup.policy, stateFile: store?.permissionFile))
  }

  /// Whether there is a folder.
  var isOpen: Bool { store != nil }

  /// What a service begins with.
  func open(_ setup: ServiceSetup) -> LocationService.State {
    let record = keeper.withLock { $0.open(say: log) }
    let desk = AuthorizationDesk(
      profile: setup.profile, purposes: setup.purposes, record: record)
    var state = LocationService.State(
      core: ServiceCore(profile: setup.profile, grant: desk.grant), desk: desk)
    guard let store else {
      // There is to be one, but it is another program's, or the system refuses.
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

  /// Keeps what the user has decided.
  func keep(_ record: PermissionRecord) {
    keeper.withLock { $0.keep(record, say: log) }
  }

  /// Keeps what is watched, and where the engine is; monitors are told when that is refused (8.7).
  func save(_ service: LocationService) {
    guard let store else { return }
    saving.withLock { _ in
      let state = service.state.withLock { state in
        state.kept = LocationService.Kept(of: state.core)
        return ServiceState(
          state.core.registrations, engine: state.core.now == nil ? nil : state.core.checkpoint,
          grant: state.core.grant, profile: state.core.profile)
      }
      isKept.store(store.save(state), ordering: .releasing)
    }
    let isRefused = !isKept.load(ordering: .acquiring)
    guard service.look(\.core.isPersistenceUnavailable) != isRefused else { return }
    // Read once more: what another thread wrote since is newer.
    service.perform { $0.isPersistenceUnavailable = !isKept.load(ordering: .acquiring) }
  }

  /// What was found while the program did not run has been told.
  func takePending() { store?.takePending() }
}
