package import EventLog
internal import Text

/// What an event is about: only events of the same subject can be the same event.
package struct EventSubject: Sendable, Hashable, Comparable {
  package var device: String { name.text }
  package let kind: LogEntry.Kind
  /// Nil for visits, significant changes and statuses.
  package let fence: String?
  /// The side that a `state` names, or the word of a `status`.
  package let state: String?
  private let name: ExactText

  package init(device: String, kind: LogEntry.Kind, fence: String? = nil, state: String? = nil) {
    name = ExactText(device)
    self.kind = kind
    self.fence = fence
    self.state = state
  }

  /// By device, fence, kind and side.
  package static func < (a: EventSubject, b: EventSubject) -> Bool {
    (a.name, a.fence ?? "", a.kind.rawValue, a.state ?? "")
      < (b.name, b.fence ?? "", b.kind.rawValue, b.state ?? "")
  }

  /// Where the event is counted.
  package var group: EventGroup {
    if let fence { return .fence(fence) }
    return switch kind {
    case .visit: .visits
    case .status: .statuses
    default: .significantChanges
    }
  }
}

/// The events that are counted together.
package enum EventGroup: Sendable, Hashable, Comparable {
  case fence(String)
  case visits
  case significantChanges
  case statuses

  /// The name for people.
  package var name: String {
    switch self {
    case .fence(let id): id
    case .visits: "visits"
    case .significantChanges: "significant changes"
    case .statuses: "status"
    }
  }
}
