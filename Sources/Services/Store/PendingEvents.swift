/// The events found while the program did not run, until a client takes them.
package struct PendingEvents: Sendable {
  private var notices: [Notice] = []
  private var conditions: [String: [Notice]] = [:]

  package init(_ events: [PendingEvent] = []) {
    for event in events {
      if case .condition(let monitor, _, _, _) = event {
        conditions[monitor, default: []].append(event.notice)
      } else {
        notices.append(event.notice)
      }
    }
  }

  /// Whether all events were taken.
  package var isEmpty: Bool { notices.isEmpty && conditions.isEmpty }

  /// Whether there are events for a manager.
  package var isForManagers: Bool { !notices.isEmpty }

  /// Takes the events for a manager.
  package mutating func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  /// Takes the events for a monitor.
  package mutating func takeConditions(of monitor: String) -> [Notice] {
    conditions.removeValue(forKey: monitor) ?? []
  }
}
