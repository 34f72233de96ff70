internal import Services

/// What was found while the program did not run, until somebody is there to be told.
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

  /// Whether everything was taken.
  var isEmpty: Bool { notices.isEmpty && conditions.isEmpty }

  /// Whether a manager is to be told something.
  var isForManagers: Bool { !notices.isEmpty }

  /// What a manager is to be told, once.
  mutating func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  /// What whoever iterates over the events of a monitor is to be told, once.
  mutating func takeConditions(of monitor: String) -> [Notice] {
    conditions.removeValue(forKey: monitor) ?? []
  }
}
