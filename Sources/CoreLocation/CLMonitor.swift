internal import Delivering
internal import Locking
internal import Services

/// A named set of conditions that is saved between launches, and the stream of their events.
///
/// It monitors while a task iterates over its ``events``. Apple allows one open monitor of a name; here a
/// second one of the same name is the same monitor: it has the same conditions, and each loop gets every
/// event.
public actor CLMonitor {
  /// The events of the conditions; iterate over them all the time.
  public let events: Events
  private let service: LocationService
  private let name: String

  /// Opens the monitor with this name, or makes one.
  ///
  /// An empty name, one that begins with an underscore, and one of more than 200 characters are invalid;
  /// a character other than ASCII letters, digits, `_` and `-` counts as three for each of its bytes. The
  /// log gets a line about an invalid name, nothing is monitored, and events have
  /// `persistenceUnavailable`.
  public init(_ name: String) async {
    service = .current
    self.name = name
    events = Events(name: name, service: service)
    if !events.isNameValid {
      service.setup.log(
        "CLMonitor: invalid name '\(name)', expected 1 to 200 characters that do not begin with an "
          + "underscore; nothing is monitored")
    }
  }

  /// The identifiers of the conditions, in the order in which they were added.
  public var identifiers: [String] {
    service.perform { $0.conditions(of: name).map(\.identifier) }
  }

  /// Monitors a condition whose state is unknown; the first state that is determined is an event.
  ///
  /// It replaces a condition with the same identifier. An event reports a condition that cannot be
  /// monitored here.
  public func add(_ Condition: any CLCondition, identifier: String) {
    add(Condition, identifier: identifier, assuming: .unknown)
  }

  /// Monitors a condition that is assumed to be in `state`; an event corrects a wrong assumption.
  public func add(
    _ condition: any CLCondition, identifier: String, assuming state: Event.State
  ) {
    guard events.isNameValid else { return events.refuse(identifier) }
    if condition is BeaconIdentityCondition { service.logOnce(.beacons) }
    let monitored = Services.Condition(condition)
    service.perform { core in
      core.addCondition(
        monitored, identifier: identifier, of: name, assuming: state.conditionState)
    }
  }

  /// Stops monitoring a condition and deletes its record; no effect for an unknown identifier.
  public func remove(_ identifier: String) {
    service.perform { $0.removeCondition(identifier, of: name) }
  }

  /// A condition and its last event taken from ``events``; nil for an unknown identifier.
  public func record(for identifier: String) -> Record? {
    let records = service.perform { $0.conditions(of: name) }
    return records.first { $0.identifier == identifier }.map { Record($0) }
  }
}

extension CLMonitor {
  /// A condition and its last event.
  public struct Record: Sendable {
    /// The condition.
    public let condition: any CLCondition
    /// The last event that the program took; initially one with the assumed state.
    public let lastEvent: Event

    init(_ record: ConditionRecord) {
      condition = record.condition.clientCondition
      lastEvent = Event(
        ConditionEvent(
          identifier: record.identifier, state: record.state, time: record.time))
    }
  }
}
