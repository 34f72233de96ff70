package import Geodesy
package import Traces
package import Tracking

/// Identifies a client: a manager, an iteration over a stream, or an observer.
package struct ClientID: Sendable, Hashable {
  package let number: Int

  package init(_ number: Int) { self.number = number }
}

/// What a client receives.
///
/// Large contents are boxed and shared by all recipients, so a notice is small.
package enum Notice: Sendable, Hashable {
  /// Which service found a location.
  package enum Service: Sendable, Hashable {
    case standard
    case oneShot
    case significantChange
  }

  /// The status or the accuracy of the permission changed; also sent once to every new manager.
  case authorization
  /// New locations, oldest first; never empty.
  case locations([Location], Service)
  case failed(Failure)
  /// Standard updates were stopped because the device rests.
  case paused
  /// Standard updates that had been paused were started again.
  case resumed
  /// The end of a deferral; nil when its distance or time was reached.
  case deferralEnded(Failure?)
  indirect case monitoringStarted(Region)
  indirect case monitoringFailed(Region, Failure)
  indirect case state(Containment, Region)
  indirect case entered(Region)
  indirect case exited(Region)
  indirect case visit(Stay)
  indirect case heading(Heading)
  /// An update of a live stream.
  indirect case update(LiveUpdate)
  /// A change of a monitor's condition.
  indirect case condition(ConditionEvent)
  /// An event of the engine, for observers.
  indirect case event(Event)
}

/// Why a service cannot fulfil a request; each is one of Core Location's error codes.
package enum Failure: Int, Error, Sendable, Hashable {
  case locationUnknown = 0
  case denied = 1
  case network = 2
  case headingFailure = 3
  case regionMonitoringDenied = 4
  case regionMonitoringFailure = 5
  case deferredFailed = 11
  case deferredNotUpdatingLocation = 12
  case deferredAccuracyTooLow = 13
  case deferredDistanceFiltered = 14
  case deferredCanceled = 15
  case rangingUnavailable = 16
  case promptDeclined = 18
  case historicalLocation = 19
}

/// A visit as a client receives it.
package struct Stay: Sendable, Hashable, Codable {
  /// Nil when the device was there from the first fix on.
  package var arrival: Timestamp?
  /// Nil while it stays.
  package var departure: Timestamp?
  package var coordinate: Coordinate
  /// Radius of the place, metres.
  package var horizontalAccuracy: Double

  package init(
    arrival: Timestamp?, departure: Timestamp?, coordinate: Coordinate, horizontalAccuracy: Double
  ) {
    self.arrival = arrival
    self.departure = departure
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
  }
}

/// Why a stream has no locations, or not all of them.
package struct Diagnosis: Sendable, Hashable {
  package var authorizationDenied = false
  package var authorizationDeniedGlobally = false
  package var authorizationRestricted = false
  package var insufficientlyInUse = false
  package var locationUnavailable = false
  package var accuracyLimited = false
  package var serviceSessionRequired = false
  package var authorizationRequestInProgress = false
  package var fullAccuracyDenied = false
  package var alwaysAuthorizationDenied = false
  package var conditionUnsupported = false
  package var conditionLimitExceeded = false
  package var persistenceUnavailable = false

  package init() {}
}

/// One element of a live stream of locations.
package struct LiveUpdate: Sendable, Hashable {
  package var location: Location?
  /// Whether it is the last one until the device moves.
  package var isStationary: Bool
  package var diagnosis: Diagnosis

  package init(
    _ location: Location?, isStationary: Bool = false, diagnosis: Diagnosis = Diagnosis()
  ) {
    self.location = location
    self.isStationary = isStationary
    self.diagnosis = diagnosis
  }
}

/// The state of a monitor's condition; raw values as Core Location's.
package enum ConditionState: UInt, Sendable, Hashable, Codable {
  case unknown = 0
  case satisfied = 1
  case unsatisfied = 2
  case unmonitored = 3
}

/// A change of a monitor's condition, or why it is not monitored.
package struct ConditionEvent: Sendable, Hashable {
  package var identifier: String
  package var state: ConditionState
  package var time: Timestamp
  package var diagnosis: Diagnosis

  package init(
    identifier: String, state: ConditionState, time: Timestamp, diagnosis: Diagnosis = Diagnosis()
  ) {
    self.identifier = identifier
    self.state = state
    self.time = time
    self.diagnosis = diagnosis
  }
}
