internal import EventLog
internal import Foundation
internal import GRDB
internal import Geodesy
internal import Text
internal import Tracking

/// Writes entries and fences as rows.
struct StoreRows {
  /// When the entries are stored, by the clock of the machine; nil for those of a replay.
  let arrived: String?
  private var line: [UInt8] = []

  init(arrived: String?) { self.arrived = arrived }

  /// A time as the store has it: `2025-03-10T14:02:07.300Z`.
  static func text(_ time: Timestamp) -> String {
    var text: [UInt8] = []
    TimeText.append(time, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds an entry; false when the store has it.
  mutating func insert(_ entry: LogEntry, _ db: Database) throws -> Bool {
    if let fix = entry.fix { return try Self.insert(fix, of: entry.device, db) }
    line.removeAll(keepingCapacity: true)
    JSONLinesWriter.append(entry, to: &line)
    line.removeLast()
    let id = entry.id?.description ?? ""
    let statement = entry.event?.statement
    try db.cachedStatement(
      sql: """
        INSERT INTO events (id, revision, type, device, fence, time, decided, json, arrived)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id, revision) DO NOTHING
        """
    ).execute(arguments: [
      id, statement?.visit?.revision ?? 0, entry.kind.rawValue, entry.device, statement?.fence,
      entry.time.map(Self.text), entry.decided.map(Self.text),
      String(decoding: line, as: UTF8.self), arrived,
    ])
    guard db.changesCount > 0 else { return false }
    if let event = entry.event { try Self.insert(event, id, entry, db) }
    return true
  }

  private static func insert(
    _ event: Event, _ id: String, _ entry: LogEntry, _ db: Database
  ) throws {
    let point = GeoPackageGeometry.point(event.coordinate)
    let (latitude, longitude) = (event.coordinate.latitude, event.coordinate.longitude)
    let (time, decided) = (text(event.time), text(event.decided))
    switch event.statement {
    case .enter(let fence, let crossing), .exit(let fence, let crossing, _):
      try db.cachedStatement(
        sql: """
          INSERT INTO crossings (geom, id, type, device, fence, time, time_uncertainty, decided,
          latitude, longitude, accuracy, interpolated, confidence, duration, speed, course)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
          """
      ).execute(arguments: [
        point, id, entry.kind.rawValue, entry.device, fence, time, crossing.timeUncertainty,
        decided, latitude, longitude, event.horizontalAccuracy, crossing.isInterpolated,
        crossing.confidence, event.statement.inside, event.speed, event.course,
      ])
    case .dwell(let fence, _), .state(let fence, _, _):
      try db.cachedStatement(
        sql: """
          INSERT INTO states (geom, id, type, device, fence, time, decided, latitude, longitude,
          accuracy, confidence, state, duration)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
          """
      ).execute(arguments: [
        point, id, entry.kind.rawValue, entry.device, fence, time, decided, latitude, longitude,
        event.horizontalAccuracy, event.statement.confidence,
        event.statement.containment?.rawValue, event.statement.inside,
      ])
    case .visit(let visit):
      try db.cachedStatement(
        sql: """
          INSERT INTO visits (geom, id, revision, device, arrival, departure, arrival_seen,
          arrival_uncertainty, departure_uncertainty, decided, latitude, longitude, accuracy,
          confidence, place, retracted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET geom = excluded.geom, revision = excluded.revision,
          departure = excluded.departure, arrival_seen = excluded.arrival_seen,
          arrival_uncertainty = excluded.arrival_uncertainty,
          departure_uncertainty = excluded.departure_uncertainty, decided = excluded.decided,
          latitude = excluded.latitude, longitude = excluded.longitude,
          accuracy = excluded.accuracy, confidence = excluded.confidence, place = excluded.place,
          retracted = excluded.retracted WHERE excluded.revision > revision
          """
      ).execute(arguments: [
        point, id, visit.revision, entry.device, text(visit.arrival), visit.departure.map(text),
        visit.isArrivalSeen, visit.arrivalUncertainty, visit.departureUncertainty, decided,
        latitude, longitude, event.horizontalAccuracy, visit.confidence, entry.place,
        visit.isRetracted,
      ])
    case .significantChange:
      try db.cachedStatement(
        sql: """
          INSERT INTO changes (geom, id, device, time, decided, latitude, longitude, accuracy,
          speed, course) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
          """
      ).execute(arguments: [
        point, id, entry.device, time, decided, latitude, longitude, event.horizontalAccuracy,
        event.speed, event.course,
      ])
    }
  }

  private static func insert(_ fix: Fix, of device: String, _ db: Database) throws -> Bool {
    // A source may report anything; a layer has only positions on Earth.
    guard fix.coordinate.isValid else { return false }
    try db.cachedStatement(
      sql: """
        INSERT INTO fixes (geom, device, time, latitude, longitude, accuracy, speed, course,
        altitude) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (device, time, latitude, longitude) DO NOTHING
        """
    ).execute(arguments: [
      GeoPackageGeometry.point(fix.coordinate), device, fix.time.map(text),
      fix.coordinate.latitude, fix.coordinate.longitude, fix.horizontalAccuracy, fix.speed,
      fix.course, fix.altitude,
    ])
    return db.changesCount > 0
  }

  /// Adds a fence, or replaces the one with its id.
  static func insert(_ fence: Fence, _ db: Database) throws {
    var (shape, radius) = ("polygon", nil as Double?)
    if case .circle(let circle) = fence.area { (shape, radius) = ("circle", circle.radius) }
    try db.cachedStatement(
      sql: """
        INSERT INTO fences (geom, id, shape, radius, decision) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET geom = excluded.geom, shape = excluded.shape,
        radius = excluded.radius, decision = excluded.decision
        """
    ).execute(arguments: [
      GeoPackageGeometry.multipolygon(fence.area), fence.id, shape, radius,
      fence.decision.rawValue,
    ])
  }
}

extension LogEntry {
  /// The layer with its row; nil for a problem or a status.
  var layer: StoreSchema.Layer? {
    switch kind {
    case .enter, .exit: .crossings
    case .dwell, .state: .states
    case .visit: .visits
    case .significantChange: .changes
    case .fix: .fixes
    case .problem, .status: nil
    }
  }
}
