public import Foundation
internal import Services
internal import Tracking

/// The state of a condition; clients use it as `CLMonitor.Event.State`.
public enum __CLMonitoringState: UInt, Sendable, Hashable {
  /// Not determined yet.
  case unknown = 0
  /// It holds.
  case satisfied = 1
  /// It does not hold.
  case unsatisfied = 2
  /// It is not monitored; the event has the reason.
  case unmonitored = 3

  init(_ state: ConditionState) {
    switch state {
    case .unknown: self = .unknown
    case .satisfied: self = .satisfied
    case .unsatisfied: self = .unsatisfied
    case .unmonitored: self = .unmonitored
    }
  }

  var conditionState: ConditionState {
    switch self {
    case .unknown: .unknown
    case .satisfied: .satisfied
    case .unsatisfied: .unsatisfied
    case .unmonitored: .unmonitored
    }
  }
}

extension CLMonitor {
  /// A change of a condition, or the reason why it is not monitored.
  public struct Event: Sendable {
    /// The state of a condition.
    public typealias State = __CLMonitoringState

    /// The beacon that matched a condition with wildcards; always nil here.
    public let refinement: (any CLCondition)?
    let event: ConditionEvent

    init(_ event: ConditionEvent) {
      self.event = event
      refinement = nil
    }

    /// The identifier of the condition.
    public var identifier: String { event.identifier }

    /// The state of the condition.
    public var state: State { State(event.state) }

    /// When the state changed: the time of the crossing, not of the decision.
    public var date: Date { event.time == .distantPast ? .distantPast : Date(event.time) }

    /// Whether the program has no permission.
    public var authorizationDenied: Bool { event.diagnosis.authorizationDenied }

    /// Whether the reason is that location services are off for the whole machine.
    public var authorizationDeniedGlobally: Bool { event.diagnosis.authorizationDeniedGlobally }

    /// Whether the program has no permission and the user cannot change that.
    public var authorizationRestricted: Bool { event.diagnosis.authorizationRestricted }

    /// Whether the program is in the background and holds no session.
    public var insufficientlyInUse: Bool { event.diagnosis.insufficientlyInUse }

    /// Whether nothing is monitored because locations are coarse.
    public var accuracyLimited: Bool { event.diagnosis.accuracyLimited }

    /// Whether a condition of this type, or with these values, cannot be monitored here.
    public var conditionUnsupported: Bool { event.diagnosis.conditionUnsupported }

    /// Whether there are more conditions than the profile allows.
    public var conditionLimitExceeded: Bool { event.diagnosis.conditionLimitExceeded }

    /// Whether the monitor cannot be saved between launches: its name is invalid, or the state folder
    /// cannot be used.
    ///
    /// With an invalid name nothing is monitored; without the folder conditions are monitored anyway.
    public var persistenceUnavailable: Bool { event.diagnosis.persistenceUnavailable }

    /// Whether the property list requires a `CLServiceSession` and the program holds none.
    public var serviceSessionRequired: Bool { event.diagnosis.serviceSessionRequired }

    /// Whether a prompt is up.
    public var authorizationRequestInProgress: Bool {
      event.diagnosis.authorizationRequestInProgress
    }
  }
}
