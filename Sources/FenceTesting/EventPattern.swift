internal import EventLog
internal import Geodesy
internal import Text
internal import Tracking

/// Which events are meant: the kind, and what else is named.
struct EventPattern: Sendable {
  /// A place of visits and significant changes.
  struct Near: Sendable {
    /// The fence or the position, for messages.
    var name: String
    var area: Area
    /// How far outside of the area the event may be, metres.
    var margin: Double
  }

  var kind: LogEntry.Kind
  /// The id of the fence; nil for kinds without one.
  var fence: String?
  var near: Near?
  /// The side that a `state` states.
  var side: Containment?
  var device: String?

  func matches(_ entry: LogEntry) -> Bool {
    guard entry.kind == kind, let event = entry.event, event.statement.fence == fence else {
      return false
    }
    if let device, ExactText(entry.device) != ExactText(device) { return false }
    if let side, event.statement.containment != side { return false }
    guard let near else { return true }
    return near.area.signedDistance(to: event.coordinate) <= near.margin
  }

  /// Such as `enter office`.
  var words: String {
    var words = [kind.rawValue]
    if let fence { words.append(fence) }
    if let side { words.append(side.rawValue) }
    if let near { words.append("near \(near.name)") }
    if let device { words.append("of \(device)") }
    return words.joined(separator: " ")
  }

  /// The same for an event.
  static func words(_ entry: LogEntry) -> String {
    let statement = entry.event?.statement
    let words = [entry.kind.rawValue, statement?.fence, statement?.containment?.rawValue]
    return words.compactMap(\.self).joined(separator: " ")
  }
}
