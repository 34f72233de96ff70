internal import Services

/// An element of the live locations: a location, or the reason why there is none.
public struct CLLocationUpdate: Sendable {
  /// The location; nil when none is known or the program has no permission.
  public let location: CLLocation?
  private let isAtRest: Bool
  private let diagnosis: Diagnosis

  init(_ update: LiveUpdate) {
    location = update.location.map { CLLocation($0) }
    isAtRest = update.isStationary
    diagnosis = update.diagnosis
  }

  /// The older name of ``stationary``.
  public var isStationary: Bool { isAtRest }

  /// Whether the device is stationary; this is the last update until it moves.
  public var stationary: Bool { isAtRest }

  /// Whether the program has no permission.
  public var authorizationDenied: Bool { diagnosis.authorizationDenied }

  /// Whether the reason is that location services are off for the whole machine.
  public var authorizationDeniedGlobally: Bool { diagnosis.authorizationDeniedGlobally }

  /// Whether the program has no permission and the user cannot change that.
  public var authorizationRestricted: Bool { diagnosis.authorizationRestricted }

  /// Whether the program is in the background and holds no session.
  public var insufficientlyInUse: Bool { diagnosis.insufficientlyInUse }

  /// Whether there is no fix now.
  public var locationUnavailable: Bool { diagnosis.locationUnavailable }

  /// Whether locations are coarse, about one every 15 minutes.
  public var accuracyLimited: Bool { diagnosis.accuracyLimited }

  /// Whether the property list requires a `CLServiceSession` and the program holds none.
  public var serviceSessionRequired: Bool { diagnosis.serviceSessionRequired }

  /// Whether a prompt is up.
  public var authorizationRequestInProgress: Bool { diagnosis.authorizationRequestInProgress }
}
