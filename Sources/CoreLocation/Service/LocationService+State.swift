internal import Delivering
package import Services
internal import Synchronization
internal import Tracking

extension LocationService {
  /// All mutable state, behind one lock.
  struct State: Sendable {
    var core: ServiceCore
    var authorization: AuthorizationController
    var recipients = Recipients()
    /// The completions of requests for full accuracy.
    var accuracyCompletions: [AuthorizationController.RequestID: @Sendable (Failure?) -> Void] = [:]
    var pending = PendingEvents()
    /// Events found in the background while the user is asked for permission.
    var held = WithheldEvent<[AddressedNotice]>()
    var isSourceNeeded = false
    /// Whether the source has ended.
    var isSourceOver = false
    /// Tasks that wait for the end of the source.
    var endWaiters: [AsyncBuffer<Void>] = []
    var sessions = SessionRegistry()
    /// What the log says once.
    var logged: Set<Remark> = []
    /// Fixes taken so far.
    var fixCount = 0
    /// Locations dropped by managers that were released since.
    var droppedCount = 0
    var saved = SavedState()

    mutating func takeEndWaiters() -> [AsyncBuffer<Void>] {
      defer { endWaiters = [] }
      return endWaiters
    }
  }

  /// A line that a service logs once: why a program may wait in vain.
  enum Remark: CustomStringConvertible {
    case pause
    case heading
    case compass
    case beacons
    case regions
    case pushes

    var description: String {
      switch self {
      case .pause:
        "the updates of a manager are paused because the device rests; they resume only when the program "
          + "calls startUpdatingLocation() again, and never pause with "
          + "pausesLocationUpdatesAutomatically = false"
      case .heading:
        "headings are unavailable: there is no compass behind a source of locations (none)"
      case .compass:
        "headings are unavailable: the source has reported \(ServiceCore.fixesWithoutCompass) fixes and no "
          + "heading; gpsd reports one (class ATT) for a compass that sends HDT or is on NMEA 2000"
      case .beacons: "beacons are unavailable: there is no radio for them"
      case .regions: "a region that is not a circle cannot be monitored; use CLCircularRegion"
      case .pushes: "location pushes are unavailable on Linux"
      }
    }
  }

  /// Logs a remark, unless it was logged before.
  func logOnce(_ remark: Remark) {
    if state.withLock({ $0.logged.insert(remark).inserted }) { setup.log("\(remark)") }
  }

  /// The effects of a step that run outside of the lock.
  struct StepEffects: Sendable {
    var prompts: [Prompt] = []
    var messages: [String] = []
    var completions: [@Sendable () -> Void] = []
    var changesSourceNeed = false
    var needsSaving = false

    /// Whether there is nothing to do, as after nearly every fix.
    var isEmpty: Bool {
      prompts.isEmpty && messages.isEmpty && completions.isEmpty && !changesSourceNeed
        && !needsSaving
    }
  }
}

extension LocationService: SavedService {
  package func stateToSave() -> ServiceState {
    state.withLock { state in
      state.saved = SavedState(of: state.core)
      return ServiceState(
        state.core.registrations, engine: state.core.now == nil ? nil : state.core.checkpoint,
        grant: state.core.grant, profile: state.core.profile)
    }
  }

  package func saved(isRefused: Bool) {
    guard read(\.core.isPersistenceUnavailable) != isRefused else { return }
    perform { $0.isPersistenceUnavailable = isRefused }
  }
}

extension LocationService.State {
  /// The initial state of a service.
  init(_ setup: ServiceSetup, _ archive: Archive) {
    authorization = AuthorizationController(
      profile: setup.profile, purposes: setup.purposes, record: archive.loadRecord())
    core = ServiceCore(profile: setup.profile, grant: authorization.grant)
    guard archive.isOpen else {
      // A folder was named, but another program has it or the system refuses.
      core.isPersistenceUnavailable = setup.stateFolder != nil
      return
    }
    if let last = archive.loadState() {
      core.resume(last.registrations, last.engine)
      _ = core.takeNotices()
    }
    saved = SavedState(of: core)
    pending = PendingEvents(archive.loadPending())
  }

  /// Makes all parts consistent after a step, and delivers the notices.
  mutating func settle(
    by actor: LocationService.Actor, savesState: Bool, hasOneEnd: Bool
  ) -> LocationService.StepEffects {
    var effects = LocationService.StepEffects()
    passPermission()
    if hasOneEnd, isSourceOver { core.endRequests() }
    var hasLasting = false
    let isHeldBack = core.isInBackground && !core.isHeldActive
    var notices = core.takeNotices()
    if savesState { hasLasting = notices.contains(where: \.notice.isLasting) }
    var uncertain: [AddressedNotice] = []
    if isHeldBack {
      notices.removeAll { addressed in
        guard addressed.notice.isBackgroundEvent, !authorization.admitsBackgroundEvent() else {
          return false
        }
        uncertain.append(addressed)
        return true
      }
    }
    recipients.deliver(notices)
    if !uncertain.isEmpty, let now = core.now { held.hold(uncertain, at: now) }
    passPermission()
    sessions.notify(core, authorization)
    effects.prompts = authorization.takePrompts()
    effects.messages = authorization.takeMessages()
    if core.hasPaused, logged.insert(.pause).inserted {
      effects.messages.append("\(LocationService.Remark.pause)")
    }
    if core.lacksHeadings, logged.insert(.compass).inserted {
      effects.messages.append("\(LocationService.Remark.compass)")
    }
    for completion in authorization.takeCompletions() {
      guard let call = accuracyCompletions.removeValue(forKey: completion.request) else { continue }
      effects.completions.append { call(completion.failure) }
    }
    if core.needsSource != isSourceNeeded {
      isSourceNeeded.toggle()
      effects.changesSourceNeed = true
    }
    guard savesState else { return effects }
    effects.needsSaving =
      switch actor {
      case .client: hasLasting || saved.isChanged(in: core)
      case .source: hasLasting || saved.isOld(at: core.now)
      }
    return effects
  }

  /// Passes the authorization and the open sessions to the core.
  private mutating func passPermission() {
    sessions.apply(to: &core, authorization)
    let isInUse = !core.isInBackground || core.isHeldActive
    if authorization.isInUse != isInUse { authorization.isInUse = isInUse }
    core.isServiceOff = authorization.isServiceOff
    core.isRequestInProgress = authorization.isRequestInProgress
    core.change(authorization.grant)
  }
}
