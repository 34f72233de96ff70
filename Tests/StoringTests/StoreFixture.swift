import EventLog
import GRDB
import Geodesy
import Session
import Storing
import TestSupport
@testable import Tracking

/// A store in a folder of its own, and events for it.
struct StoreFixture {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  var path: String { scratch.file("events.gpkg") }

  func open(
    retention: Double? = nil, keepsFixes: Bool = false, hindsight: Bool = false,
    isLive: Bool = false, now: @escaping () -> Timestamp = { StoreFixture.present }
  ) throws -> EventStore {
    try EventStore(
      StoreSettings(path: path, retention: retention, keepsFixes: keepsFixes), isLive: isLive,
      hindsight: hindsight, now: now)
  }

  /// The rows of a query, each with its values separated by `|`.
  func rows(_ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    return try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "" : String.fromDatabaseValue($0) ?? "\($0)" }
          .joined(separator: "|")
      }
    }
  }

  /// Later than every event of a test that is not wrong: 2027-01-15.
  static let present = Timestamp(nanoseconds: 1_800_000_000_000_000_000)

  static let start = Timestamp(nanoseconds: 1_741_593_600_000_000_000)

  static func event(
    _ statement: Event.Statement, at seconds: Double, decided: Double? = nil,
    of device: String = "van"
  ) -> LogEntry {
    LogEntry(
      device: device,
      .event(
        Event(
          statement: statement, time: start.advanced(bySeconds: seconds),
          decided: start.advanced(bySeconds: decided ?? seconds),
          coordinate: Coordinate(latitude: 52.5, longitude: 13.4), horizontalAccuracy: 5)))
  }

  static func enter(_ fence: String = "depot", at seconds: Double, of device: String = "van")
    -> LogEntry
  {
    event(.enter(fence: fence, crossing), at: seconds, of: device)
  }

  static func exit(_ fence: String = "depot", at seconds: Double, of device: String = "van")
    -> LogEntry
  {
    event(.exit(fence: fence, crossing, inside: 3_600), at: seconds, of: device)
  }

  /// A visit from the start on.
  static func visit(until seconds: Double?, revision: Int, isRetracted: Bool = false) -> LogEntry {
    var visit = Visit(
      arrival: start, isArrivalSeen: true,
      departure: seconds.map { start.advanced(bySeconds: $0) }, confidence: 0.9)
    visit.revision = revision
    visit.isRetracted = isRetracted
    return event(.visit(visit), at: seconds ?? 0, decided: 300 + (seconds ?? 0))
  }

  /// An hour's visit somewhere.
  static func visit(
    at seconds: Double, _ latitude: Double, _ longitude: Double, place: String? = nil
  ) -> LogEntry {
    let arrival = start.advanced(bySeconds: seconds)
    let visit = Visit(
      arrival: arrival, isArrivalSeen: true, departure: arrival.advanced(bySeconds: 3_600),
      confidence: 0.9)
    var entry = LogEntry(
      device: "van",
      .event(
        Event(
          statement: .visit(visit), time: arrival.advanced(bySeconds: 3_600),
          decided: arrival.advanced(bySeconds: 3_900),
          coordinate: Coordinate(latitude: latitude, longitude: longitude),
          horizontalAccuracy: 5)))
    entry.place = place
    return entry
  }

  static let crossing = Crossing(
    timeUncertainty: 1.5, isInterpolated: true, confidence: 0.99)
}
