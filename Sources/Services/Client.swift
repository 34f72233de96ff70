internal import Tracking

/// A notice and its recipient.
package struct AddressedNotice: Sendable, Hashable {
  package var to: ClientID
  package var notice: Notice

  package init(to: ClientID, _ notice: Notice) {
    self.to = to
    self.notice = notice
  }
}

/// The notices that an observer receives.
package struct Interests: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Every fix, and first the last known one.
  package static let locations = Interests(rawValue: 1)
  /// The engine's events of regions and visits.
  package static let events = Interests(rawValue: 2)
  /// Visits, and first the current one.
  package static let visits = Interests(rawValue: 4)
  /// Significant changes, as locations; not the last known one first.
  package static let significantChanges = Interests(rawValue: 8)
}

/// The kinds of clients.
package enum ClientKind: Sendable, Hashable {
  /// A location manager.
  case manager
  /// One iteration over a live stream of locations.
  case stream(Activity)
  /// One iteration over the events of the monitor with this name.
  case monitor(String)
  /// An observer, which changes nothing.
  case observer(Interests)
}

/// The kind of movement; raw values as Core Location's.
package enum Activity: Int, Sendable, Hashable, CaseIterable {
  case other = 1
  case automotiveNavigation = 2
  case fitness = 3
  case otherNavigation = 4
  case airborne = 5
}

/// A manager's settings for its locations.
package struct UpdateSettings: Sendable, Hashable {
  /// The shortest distance from the last location delivered, metres; 0 or less for all locations.
  package var distanceFilter: Double = -1
  /// The accuracy wanted, metres; negative for the best.
  package var desiredAccuracy: Double = -1
  package var pausesAutomatically = true
  package var activity = Activity.other
  package var allowsBackground = false
  /// The least change between two headings, degrees; 0 or less for all headings.
  package var headingFilter: Double = 1
  /// Headings are those of an axis that points so many degrees to the right of the compass: 0 to below 360.
  package var headingOffset: Double = 0

  package init() {}

  /// Core Location's constant that asks for the coarse location only.
  package static let reducedAccuracy = 6_380_000.0
  /// The accuracy that satisfies "the best", metres: that of a receiver under open sky.
  package static let bestAccuracy = 5.0

  var wantsReduced: Bool { desiredAccuracy >= Self.reducedAccuracy }
  var wantsBest: Bool { desiredAccuracy < 0 }
}

/// The state of a client.
struct Client: Sendable {
  /// The state of a live stream.
  struct LiveStream: Sendable {
    let activity: Activity
    var isAtRest = false
    var started: Timestamp?
    var reported = Diagnosis()
  }

  let id: ClientID
  let kind: ClientKind
  var settings = UpdateSettings()
  var standard: StandardUpdates?
  var request: LocationRequest?
  var deferral: Deferral?
  var wantsSignificantChanges = false
  /// Whether it waits for its first significant location since it started.
  var awaitsSignificant = false
  /// The time of the newest change that was delivered before it started significant changes.
  var deliveredSignificant: Timestamp?
  /// The newest significant location that could not be delivered in the background.
  var withheldSignificant: Location?
  var stream: LiveStream?

  // Constants derived from the kind, because every fix reads them.
  let isManager: Bool
  let isStream: Bool
  /// What an observer receives; empty for other kinds.
  private let interests: Interests

  init(id: ClientID, kind: ClientKind) {
    self.id = id
    self.kind = kind
    isManager = kind == .manager
    if case .observer(let interests) = kind { self.interests = interests } else { interests = [] }
    if case .stream(let activity) = kind {
      isStream = true
      stream = LiveStream(activity: activity)
    } else {
      isStream = false
    }
  }

  var isObserver: Bool { if case .observer = kind { true } else { false } }

  /// Whether it takes every location as it comes, which is the usual case: an observer of locations, or a
  /// manager with standard updates, and without a filter, request or deferral.
  ///
  /// Not inlined: where many are asked, the compiler would copy each of them.
  @inline(never)
  var takesAll: Bool {
    if wants(.locations) { return true }
    guard let standard, !standard.isPaused else { return false }
    return settings.distanceFilter <= 0 && request == nil && deferral == nil
  }

  func wants(_ interest: Interests) -> Bool { interests.contains(interest) }

  /// Whether it receives significant changes.
  var followsSignificantChanges: Bool { wantsSignificantChanges || wants(.significantChanges) }

  /// Notes the time; returns which of its requests are due.
  mutating func note(_ time: Timestamp) -> (request: Bool, deferral: Bool) {
    let isRequestOver = request?.isOver(at: time) ?? false
    let isDeferralOver = deferral?.isOver(at: time) ?? false
    if !isRequestOver { request?.note(time) }
    if !isDeferralOver { deferral?.note(time) }
    if standard?.started == nil { standard?.started = time }
    if stream?.started == nil { stream?.started = time }
    return (isRequestOver, isDeferralOver)
  }

  /// The activity that decides when its updates pause while the device rests; nil if they never do.
  var restingActivity: Activity? {
    if isStream { return stream?.activity }
    guard standard != nil, settings.pausesAutomatically else { return nil }
    return settings.activity
  }
}
