package import EventLog
package import Geodesy
internal import Scoring
package import Tracking

/// An event as it is compared: when, where, and when it was reported.
package struct ComparedEvent: Sendable, Hashable {
  /// Nil when the log has another kind of id, or none.
  package let id: EventID?
  /// When it happened; for a visit its arrival.
  package let time: Timestamp
  /// When it was reported, a visit for the first time; nil when the log does not say.
  package internal(set) var decided: Timestamp?
  package let coordinate: Coordinate?
  /// When a visit ended; nil for other events, and while it lasts.
  package let departure: Timestamp?

  package init(
    id: EventID? = nil, time: Timestamp, decided: Timestamp? = nil,
    coordinate: Coordinate? = nil, departure: Timestamp? = nil
  ) {
    self.id = id
    self.time = time
    self.decided = decided
    self.coordinate = coordinate
    self.departure = departure
  }

  /// Reads the event of a line of a log.
  init(_ record: JSONRecord, isVisit: Bool) throws(RecordError) {
    id = record.textIfAny("id").flatMap(EventID.init(text:))
    let arrival = isVisit ? try record.timestampIfAny("arrival") : nil
    if let arrival { time = arrival } else { time = try record.timestamp("time") }
    decided = try record.timestampIfAny("decided")
    departure = isVisit ? try record.timestampIfAny("departure") : nil
    coordinate = try Self.coordinate(record)
  }

  private static func coordinate(_ record: JSONRecord) throws(RecordError) -> Coordinate? {
    guard let latitude = try record.numberIfAny("latitude"),
      let longitude = try record.numberIfAny("longitude")
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else {
      throw record.error(
        "found the position \(latitude),\(longitude), expected a latitude from -90 to 90 and a "
          + "longitude from -180 to 180")
    }
    return coordinate
  }

  /// Whether it comes before another event of its subject; equal events are in any order.
  static func isBefore(_ a: ComparedEvent, _ b: ComparedEvent) -> Bool {
    if a.time != b.time { return a.time < b.time }
    let (x, y) = (a.decided ?? .distantPast, b.decided ?? .distantPast)
    if x != y { return x < y }
    return (a.coordinate?.latitude ?? 0, a.coordinate?.longitude ?? 0)
      < (b.coordinate?.latitude ?? 0, b.coordinate?.longitude ?? 0)
  }

  /// Whether it is the same as an event of another log, to the last digit of the log.
  func isSame(as other: ComparedEvent) -> Bool {
    time == other.time && decided == other.decided && coordinate == other.coordinate
      && departure == other.departure
  }

  /// Metres to another event; nil when one of them has no place.
  package func distance(to other: ComparedEvent) -> Double? {
    guard let coordinate, let there = other.coordinate else { return nil }
    return coordinate.distance(to: there)
  }
}
