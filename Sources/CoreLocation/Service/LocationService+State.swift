internal import Services
internal import Tracking

extension LocationService {
  /// Everything that changes, behind one lock.
  struct State: Sendable {
    var core: ServiceCore
    var desk: AuthorizationDesk
    var recipients = Recipients()
    /// Who waits for the end of a request for full accuracy.
    var askers: [AuthorizationDesk.RequestID: @Sendable (Failure?) -> Void] = [:]
    var pending = PendingEvents()
    /// What was found in the background while it is asked whether it may be told.
    var held = HeldEvent<[Letter]>()
    var isSourceNeeded = false
    /// Whether the source has nothing more to tell.
    var isSourceOver = false
    /// Who waits for that.
    var enders: [Mailbox<Void>] = []
    var sessions = SessionDesk()
    /// Fixes taken so far.
    var fixCount = 0
    /// Locations that managers that are gone did not take in time.
    var droppedCount = 0
    var kept = Kept()

    mutating func takeEnders() -> [Mailbox<Void>] {
      defer { enders = [] }
      return enders
    }
  }

  /// What was written to files last.
  struct Kept: Sendable {
    private var registrations = Registrations()
    private var grant = Grant()
    private var time: Timestamp?

    /// Engine time after which the last location is kept even though nothing else is new, seconds.
    private static let interval = 60.0

    init() {}

    init(of core: ServiceCore) {
      registrations = core.registrations
      grant = core.grant
      time = core.now
    }

    /// Whether a client changed something since.
    func isChanged(in core: ServiceCore) -> Bool {
      var (before, now) = (registrations, core.registrations)
      (before.lastFix, now.lastFix) = (nil, nil)
      return before != now || grant != core.grant
    }

    /// Whether it is old by the engine's time, which begins anew with a recording.
    func isOld(at now: Timestamp?) -> Bool {
      guard let now else { return false }
      return time.map { abs(now.seconds(since: $0)) >= Self.interval } ?? true
    }
  }

  /// What a step brings about outside of the lock.
  struct Aftermath: Sendable {
    var prompts: [Prompt] = []
    var messages: [String] = []
    var answers: [@Sendable () -> Void] = []
    var isSourceNeedNew = false
    var areRegistrationsNew = false

    /// Whether there is nothing to do, as after nearly every fix.
    var isEmpty: Bool {
      prompts.isEmpty && messages.isEmpty && answers.isEmpty && !isSourceNeedNew
        && !areRegistrationsNew
    }
  }
}

extension LocationService.State {
  /// Brings the parts in line after a step, and puts letters where they are taken.
  mutating func settle(
    by actor: LocationService.Actor, keepsRegistrations: Bool
  ) -> LocationService.Aftermath {
    var aftermath = LocationService.Aftermath()
    passPermission()
    var lasting = false
    let isHeldBack = core.isInBackground && !core.isHeldActive
    var letters = core.takeLetters()
    if keepsRegistrations { lasting = letters.contains(where: \.notice.isOfPlaces) }
    var uncertain: [Letter] = []
    if isHeldBack {
      letters.removeAll { letter in
        guard letter.notice.isBackgroundEvent, !desk.admitsBackgroundEvent() else { return false }
        uncertain.append(letter)
        return true
      }
    }
    recipients.deliver(letters)
    if !uncertain.isEmpty, let now = core.now { held.hold(uncertain, at: now) }
    passPermission()
    sessions.tell(core, desk)
    aftermath.prompts = desk.takePrompts()
    aftermath.messages = desk.takeMessages()
    for completion in desk.takeCompletions() {
      guard let asker = askers.removeValue(forKey: completion.request) else { continue }
      aftermath.answers.append { asker(completion.failure) }
    }
    if core.needsSource != isSourceNeeded {
      isSourceNeeded.toggle()
      aftermath.isSourceNeedNew = true
    }
    guard keepsRegistrations else { return aftermath }
    aftermath.areRegistrationsNew =
      switch actor {
      case .client: lasting || kept.isChanged(in: core)
      case .source: lasting || kept.isOld(at: core.now)
      }
    return aftermath
  }

  /// The core goes by what the desk says.
  private mutating func passPermission() {
    sessions.hold(&core, desk)
    let isInUse = !core.isInBackground || core.isHeldActive
    if desk.isInUse != isInUse { desk.isInUse = isInUse }
    core.isServiceOff = desk.isServiceOff
    core.isRequestInProgress = desk.isRequestInProgress
    core.change(desk.grant)
  }
}

extension Notice {
  /// Whether it says something of regions, visits or conditions, which are kept between launches.
  fileprivate var isOfPlaces: Bool {
    switch self {
    case .state, .entered, .exited, .visit, .condition: true
    case .authorization, .locations, .failed, .paused, .resumed, .deferralEnded, .monitoringStarted,
      .monitoringFailed, .update, .event:
      false
    }
  }

  /// Whether it tells where the device is, for which "always" is needed in the background.
  fileprivate var isBackgroundEvent: Bool {
    switch self {
    case .locations, .state, .entered, .exited, .visit: true
    case .authorization, .failed, .paused, .resumed, .deferralEnded, .monitoringStarted,
      .monitoringFailed, .update, .condition, .event:
      false
    }
  }
}
