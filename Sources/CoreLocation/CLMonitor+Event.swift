public import Foundation
internal import Services
internal import Tracking

/// What a condition is found to be; clients know it as `CLMonitor.Event.State`.
public enum __CLMonitoringState: UInt, Sendable, Hashable {
  /// Nothing is known yet.
  case unknown = 0
  /// It holds.
  case satisfied = 1
  /// It does not hold.
  case unsatisfied = 2
  /// It is not watched; the event says why.
  case unmonitored = 3

  init(_ state: ConditionState) {
    switch state {
    case .unknown: self = .unknown
    case .satisfied: self = .satisfied
    case .unsatisfied: self = .unsatisfied
    case .unmonitored: self = .unmonitored
    }
  }

  var known: ConditionState {
    switch self {
    case .unknown: .unknown
    case .satisfied: .satisfied
    case .unsatisfied: .unsatisfied
    case .unmonitored: .unmonitored
    }
  }
}

extension CLMonitor {
  /// A change of a condition, or why it is not watched.
  public struct Event: Sendable {
    /// What a condition is found to be.
    public typealias State = __CLMonitoringState

    /// The beacon that matched a condition with wildcards; here always nil.
    public let refinement: (any CLCondition)?
    let event: ConditionEvent

    init(_ event: ConditionEvent) {
      self.event = event
      refinement = nil
    }

    /// The key of the condition.
    public var identifier: String { event.identifier }

    /// What the condition is found to be.
    public var state: State { State(event.state) }

    /// When it became so: for a crossing when it happened, not when it was sure.
    public var date: Date { event.time == .distantPast ? .distantPast : Date(event.time) }

    /// Whether the program may not know where the device is.
    public var authorizationDenied: Bool { event.diagnosis.authorizationDenied }

    /// Whether that is because location services are off for the whole machine.
    public var authorizationDeniedGlobally: Bool { event.diagnosis.authorizationDeniedGlobally }

    /// Whether the program may not know where the device is, and the user cannot change that.
    public var authorizationRestricted: Bool { event.diagnosis.authorizationRestricted }

    /// Whether nothing is told because the program is in the background and holds no session.
    public var insufficientlyInUse: Bool { event.diagnosis.insufficientlyInUse }

    /// Whether nothing is watched because the place is told coarsely only.
    public var accuracyLimited: Bool { event.diagnosis.accuracyLimited }

    /// Whether a condition of this kind, or with these values, cannot be watched here.
    public var conditionUnsupported: Bool { event.diagnosis.conditionUnsupported }

    /// Whether there are more conditions than the profile allows.
    public var conditionLimitExceeded: Bool { event.diagnosis.conditionLimitExceeded }

    /// Whether the monitor cannot be kept between launches: its name is none, or its folder cannot be
    /// used.
    ///
    /// Under a wrong name nothing is watched; else it is watched all the same.
    public var persistenceUnavailable: Bool { event.diagnosis.persistenceUnavailable }

    /// Whether the program must hold a `CLServiceSession`, as its property list demands, and does
    /// not.
    public var serviceSessionRequired: Bool { event.diagnosis.serviceSessionRequired }

    /// Whether the user is being asked.
    public var authorizationRequestInProgress: Bool {
      event.diagnosis.authorizationRequestInProgress
    }
  }
}
