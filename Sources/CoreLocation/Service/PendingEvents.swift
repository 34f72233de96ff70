internal import Services

/// The events found while the program did not run, until a client takes them.
struct PendingEvents: Sendable {
  private var notices: [Notice] = []
  private var conditions: [String: [Notice]] = [:]

  init(_ events: [PendingEvent] = []) {
    for event in events {
      if case .condition(let monitor, _, _, _) = event {
        conditions[monitor, default: []].append(event.notice)
      } else {
        notices.append(event.notice)
      }
    }
  }

  /// Whether all events were taken.
  var isEmpty: Bool { notices.isEmpty && conditions.isEmpty }

  /// Whether there are events for a manager.
  var isForManagers: Bool { !notices.isEmpty }

  /// Takes the events for a manager.
  mutating func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  /// Takes the events for a monitor.
  mutating func takeConditions(of monitor: String) -> [Notice] {
    conditions.removeValue(forKey: monitor) ?? []
  }
}
