internal import Tracking

/// A notice on its way.
package struct Letter: Sendable, Hashable {
  package var to: ClientID
  package var notice: Notice

  package init(to: ClientID, _ notice: Notice) {
    self.to = to
    self.notice = notice
  }
}

/// What an observer wants to be told.
package struct Interests: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Every fix, and first the last one that is known.
  package static let locations = Interests(rawValue: 1)
  /// What the engine says of regions and visits.
  package static let events = Interests(rawValue: 2)
  /// Visits, and first the one that goes on.
  package static let visits = Interests(rawValue: 4)
  /// Significant changes, as locations; not the last known one first.
  package static let significantChanges = Interests(rawValue: 8)
}

/// Who is told.
package enum ClientKind: Sendable, Hashable {
  /// A location manager.
  case manager
  /// One run over a live stream of locations.
  case stream(Activity)
  /// Somebody iterates over the events of the monitor with this name.
  case monitor(String)
  /// Somebody who looks on.
  case observer(Interests)
}

/// What moves; raw values as Core Location's.
package enum Activity: Int, Sendable, Hashable, CaseIterable {
  case other = 1
  case automotiveNavigation = 2
  case fitness = 3
  case otherNavigation = 4
  case airborne = 5
}

/// How a manager wants its locations.
package struct UpdateSettings: Sendable, Hashable {
  /// Metres from the last location delivered; not above 0 for all of them.
  package var distanceFilter: Double = -1
  /// Metres wanted; negative for the best.
  package var desiredAccuracy: Double = -1
  package var pausesAutomatically = true
  package var activity = Activity.other
  package var allowsBackground = false

  package init() {}

  /// Core Location's constant that asks for the coarse location only.
  package static let reducedAccuracy = 6_380_000.0
  /// "The best" is good enough at this accuracy, metres: what a receiver under open sky gives.
  package static let bestAccuracy = 5.0

  var wantsReduced: Bool { desiredAccuracy >= Self.reducedAccuracy }
  var wantsBest: Bool { desiredAccuracy < 0 }
}

/// What is known of a client.
struct Client: Sendable {
  /// What is told of a live stream's position.
  struct Stream: Sendable {
    let activity: Activity
    var isAtRest = false
    var started: Timestamp?
    var told = Diagnosis()
  }

  let id: ClientID
  let kind: ClientKind
  var settings = UpdateSettings()
  var standard: StandardUpdates?
  var request: LocationRequest?
  var deferral: Deferral?
  var wantsSignificantChanges = false
  /// It has not had its first significant location since it started.
  var awaitsSignificant = false
  /// The time of the newest change that it was told though it had not started them.
  var toldSignificant: Timestamp?
  /// The significant location that came while it might not be told, the newest.
  var withheldSignificant: Report?
  var stream: Stream?

  // By the kind, as constants: they are asked for at every fix.
  let isManager: Bool
  let isStream: Bool
  /// What an observer wants; nothing for others.
  private let interests: Interests

  init(id: ClientID, kind: ClientKind) {
    self.id = id
    self.kind = kind
    isManager = kind == .manager
    if case .observer(let interests) = kind { self.interests = interests } else { interests = [] }
    if case .stream(let activity) = kind {
      isStream = true
      stream = Stream(activity: activity)
    } else {
      isStream = false
    }
  }

  var isObserver: Bool { if case .observer = kind { true } else { false } }

  func wants(_ interest: Interests) -> Bool { interests.contains(interest) }

  /// Whether it is told of significant changes.
  var followsSignificantChanges: Bool { wantsSignificantChanges || wants(.significantChanges) }

  /// It is this late: which of what it waits for is over.
  mutating func note(_ time: Timestamp) -> (request: Bool, deferral: Bool) {
    let isRequestOver = request?.isOver(at: time) ?? false
    let isDeferralOver = deferral?.isOver(at: time) ?? false
    if !isRequestOver { request?.note(time) }
    if !isDeferralOver { deferral?.note(time) }
    if standard?.started == nil { standard?.started = time }
    if stream?.started == nil { stream?.started = time }
    return (isRequestOver, isDeferralOver)
  }

  /// The activity by which it is decided that it may be left alone while the device rests.
  var restingActivity: Activity? {
    if isStream { return stream?.activity }
    guard standard != nil, settings.pausesAutomatically else { return nil }
    return settings.activity
  }
}
