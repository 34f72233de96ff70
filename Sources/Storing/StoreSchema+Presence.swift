internal import GRDB

/// The fences in which each device is.
extension StoreSchema {
  /// Orders the events of a device, the last of which says where it is; `seq` orders equal ones.
  ///
  /// Live events come in the order in which they were stored, whatever their dates. Those of a replay
  /// are of the time of their decision, unless it is in the future; a day is left for clocks and zones.
  ///
  /// - Parameter events: The table of the events, or its alias.
  static func recency(_ events: String) -> String {
    """
    coalesce(\(events).arrived, CASE WHEN \(events).decided
    <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day') THEN \(events).decided END, '')
    """
  }

  /// The view `now_inside`, as SQLite keeps its text.
  static let nowInside = """
    CREATE VIEW now_inside AS
    SELECT device, fence, time AS since, decided FROM (
    SELECT device, fence, time, decided, type, json, row_number() OVER (
    PARTITION BY device, fence ORDER BY \(recency("events")) DESC, seq DESC) AS place
    FROM events WHERE type IN ('enter', 'exit', 'state'))
    WHERE place = 1 AND (type = 'enter' OR json_extract(json, '$.state') = 'inside')
    """

  /// Gives a store of an earlier build the columns and the views as they are now.
  static func update(_ db: Database) throws {
    for (table, column, type) in [("events", "arrived", "DATETIME"), ("receivers", "held", "TEXT")]
    {
      guard try !db.columns(in: table).contains(where: { $0.name == column }) else { continue }
      try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column) \(type)")
    }
    for (name, text) in [("now_inside", nowInside), ("hours_at_place", hoursAtPlace)] {
      let known = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?", arguments: [name]
      )
      if known != text { try db.execute(sql: "DROP VIEW IF EXISTS \(name); \(text)") }
    }
  }

  /// When the last live event was stored, by the last rows; empty when they have none.
  static func lastArrival(_ db: Database) throws -> String {
    try String.fetchOne(
      db,
      sql: "SELECT max(arrived) FROM (SELECT arrived FROM events ORDER BY seq DESC LIMIT 10000)")
      ?? ""
  }
}
