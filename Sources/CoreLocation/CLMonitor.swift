internal import Locking
internal import Services

/// A named set of conditions that lasts from launch to launch, and a stream of what becomes of them.
///
/// It watches while somebody iterates over its ``events``. Names are letters and digits. Where Apple
/// allows one open monitor of a name, here a second one of the same name is the same monitor: it has
/// the same conditions, and each loop gets every event.
public actor CLMonitor {
  /// What becomes of the conditions; iterate over it all the time.
  public let events: Events
  private let service: LocationService
  private let name: String

  /// Opens the monitor with this name, or makes one.
  ///
  /// A name that has other characters than ASCII letters and digits, or more than 200, is said to be
  /// wrong on standard error; nothing is watched under it, and its events say `persistenceUnavailable`.
  public init(_ name: String) async {
    service = .current
    self.name = name
    events = Events(name: name, service: service)
    if !events.isNameValid {
      service.setup.log(
        "CLMonitor: the name '\(name)' cannot be kept; expected 1 to 200 letters and digits")
    }
  }

  /// The keys of the conditions, in the order in which these were added.
  public var identifiers: [String] {
    service.perform { $0.conditions(of: name).map(\.identifier) }
  }

  /// Watches a condition of which nothing is assumed; the first that is found is an event.
  ///
  /// One with the same key is replaced. What cannot be watched here is said in an event.
  public func add(_ Condition: any CLCondition, identifier: String) {
    add(Condition, identifier: identifier, assuming: .unknown)
  }

  /// Watches a condition that is assumed to be as `state` says; an event corrects it.
  public func add(
    _ condition: any CLCondition, identifier: String, assuming state: Event.State
  ) {
    guard events.isNameValid else { return events.refuse(identifier) }
    let watched = Services.Condition(condition)
    service.perform { core in
      core.addCondition(watched, identifier: identifier, of: name, assuming: state.known)
    }
  }

  /// Watches a condition no more and forgets its record; nothing when there is none.
  public func remove(_ identifier: String) {
    service.perform { $0.removeCondition(identifier, of: name) }
  }

  /// A condition and its last event that was taken from ``events``; nil for an unknown key.
  public func record(for identifier: String) -> Record? {
    let records = service.perform { $0.conditions(of: name) }
    return records.first { $0.identifier == identifier }.map { Record($0) }
  }
}

extension CLMonitor {
  /// A condition, and what the program knows of it.
  public struct Record: Sendable {
    /// What is watched.
    public let condition: any CLCondition
    /// The event that the program took last; at first one with the state that was assumed.
    public let lastEvent: Event

    init(_ record: ConditionRecord) {
      condition = record.condition.told
      lastEvent = Event(
        ConditionEvent(
          identifier: record.identifier, state: record.state, time: record.time))
    }
  }
}
