internal import Services

/// One element of a live stream of locations: a location, or why there is none.
public struct CLLocationUpdate: Sendable {
  /// The location; nil when none is known or none may be told.
  public let location: CLLocation?
  private let isResting: Bool
  private let diagnosis: Diagnosis

  init(_ update: LiveUpdate) {
    location = update.report.map { CLLocation($0) }
    isResting = update.isStationary
    diagnosis = update.diagnosis
  }

  /// Whether the device rests, so that this is the last update until it moves; the older name.
  public var isStationary: Bool { isResting }

  /// Whether the device rests, so that this is the last update until it moves.
  public var stationary: Bool { isResting }

  /// Whether the program may not know where the device is.
  public var authorizationDenied: Bool { diagnosis.authorizationDenied }

  /// Whether that is because location services are off for the whole machine.
  public var authorizationDeniedGlobally: Bool { diagnosis.authorizationDeniedGlobally }

  /// Whether the program may not know where the device is, and the user cannot change that.
  public var authorizationRestricted: Bool { diagnosis.authorizationRestricted }

  /// Whether nothing is told because the program is in the background and holds no session.
  public var insufficientlyInUse: Bool { diagnosis.insufficientlyInUse }

  /// Whether there is no fix just now.
  public var locationUnavailable: Bool { diagnosis.locationUnavailable }

  /// Whether the place is told coarsely only, about every 15 minutes.
  public var accuracyLimited: Bool { diagnosis.accuracyLimited }

  /// Whether the program must hold a `CLServiceSession`, as its property list demands, and does not.
  public var serviceSessionRequired: Bool { diagnosis.serviceSessionRequired }

  /// Whether the user is being asked.
  public var authorizationRequestInProgress: Bool { diagnosis.authorizationRequestInProgress }
}
