internal import Foundation
internal import Text

extension MessageTemplate.Field {
  /// The text of the field for an event; empty when the event does not have it.
  func text(of delivery: Delivery, in zone: TimeZone) -> String {
    let event = delivery.event
    return switch self {
    case .verb: Self.verb(event)
    case .type: event.type
    case .id: delivery.id
    case .device: event.device
    case .fence: event.fence ?? ""
    case .state: event.state ?? ""
    case .place: event.place ?? ""
    case .message: event.message ?? ""
    case .where_: Self.place(of: event)
    case .time: Self.local(event.time, zone, \.timeOfDay)
    case .date: Self.local(event.time, zone, \.date)
    case .decided: Self.local(event.decided, zone, \.timeOfDay)
    case .arrival: Self.local(event.arrival, zone, \.timeOfDay)
    case .departure: Self.local(event.departure, zone, \.timeOfDay)
    case .duration: (event.duration ?? Self.stay(event)).map(Readable.duration) ?? ""
    case .latitude: Self.number(event.latitude, 6)
    case .longitude: Self.number(event.longitude, 6)
    case .accuracy: event.accuracy.map(Readable.length) ?? ""
    case .speed: event.speed.map { "\(Readable.number($0, decimals: 1)) m/s" } ?? ""
    case .course: Self.number(event.course, 0)
    case .confidence: Self.number(event.confidence, 2)
    case .uncertainty:
      (event.timeUncertainty ?? event.departureUncertainty ?? event.arrivalUncertainty)
        .map(Readable.duration) ?? ""
    case .json: delivery.json
    }
  }

  /// A sentence needs only the device before it and the fence after it.
  private static func verb(_ event: OutgoingEvent) -> String {
    if event.retracted == true { return "did not stay at" }
    return switch event.type {
    case "enter": "entered"
    case "exit": "left"
    case "dwell": "stays in"
    case "state": "is \(event.state ?? "unknown") at"
    case "visit": event.departure == nil ? "arrived at" : "left"
    case "significant-change": "moved to"
    case "status": event.state == "fix" ? "has a position again" : "has no position:"
    default: "reports"
    }
  }

  private static func place(of event: OutgoingEvent) -> String {
    if let name = event.fence ?? event.place { return name }
    guard event.latitude != nil else {
      return event.message ?? (event.state == "fix" ? "" : event.state ?? "")
    }
    return "\(number(event.latitude, 5)), \(number(event.longitude, 5))"
  }

  private static func stay(_ event: OutgoingEvent) -> Double? {
    guard let arrival = event.arrival.flatMap(OutgoingEvent.seconds),
      let departure = event.departure.flatMap(OutgoingEvent.seconds)
    else { return nil }
    return departure - arrival
  }

  private static func number(_ value: Double?, _ decimals: Int) -> String {
    value.map { Readable.number($0, decimals: decimals) } ?? ""
  }

  private static func local(
    _ time: String?, _ zone: TimeZone, _ part: KeyPath<LocalTime, String>
  ) -> String {
    guard let seconds = time.flatMap(OutgoingEvent.seconds) else { return "" }
    return LocalTime(seconds, in: zone)[keyPath: part]
  }
}

/// A time in a time zone, as people write it.
struct LocalTime {
  let date: String
  let timeOfDay: String
  /// Minutes since midnight.
  let minute: Int

  /// - Parameter seconds: Since 1970.
  init(_ seconds: Double, in zone: TimeZone) {
    let instant = Date(timeIntervalSince1970: seconds)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: instant)
    func text(_ value: Int?, _ digits: Int = 2) -> String {
      let text = String(value ?? 0)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    date = "\(text(parts.year, 4))-\(text(parts.month))-\(text(parts.day))"
    timeOfDay = "\(text(parts.hour)):\(text(parts.minute)):\(text(parts.second))"
    minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
  }
}
