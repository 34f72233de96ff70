internal import GRDB

/// Deletes what is older than a store keeps.
enum StoreRetention {
  /// Deletes events decided before a time, and fixes before it; the bytes are overwritten.
  ///
  /// The last event of a device at a fence stays, because `now_inside` needs it, and so does what waits
  /// for an active receiver.
  ///
  /// - Parameter silence: Events that follow a silence longer than this, in seconds, count only when as
  ///   much has passed in them too: their dates may be wrong. Nil when all dates count.
  static func purge(
    _ queue: DatabaseQueue, before time: String, unconfirmed silence: Double?
  ) throws {
    try queue.write { db in
      let time = try silence.map { try confirmed(time, $0, db) } ?? time
      try db.execute(
        sql: """
          DELETE FROM events WHERE decided < ?1 AND coalesce(arrived, '') < ?1
          AND NOT (type IN ('enter', 'exit', 'state')
          AND NOT EXISTS (SELECT 1 FROM events AS later WHERE later.device = events.device
          AND later.fence = events.fence AND later.type IN ('enter', 'exit', 'state')
          AND (\(StoreSchema.recency("later")), later.seq)
          > (\(StoreSchema.recency("events")), events.seq)))
          AND seq <= coalesce((SELECT min(cursor) FROM receivers WHERE active), seq)
          """, arguments: [time])
      for layer in [StoreSchema.Layer.crossings, .states, .visits, .changes] {
        try db.execute(
          sql: """
            DELETE FROM \(layer.rawValue) WHERE decided < ?
            AND NOT EXISTS (SELECT 1 FROM events WHERE events.id = \(layer.rawValue).id)
            """, arguments: [time])
      }
      try db.execute(sql: "DELETE FROM fixes WHERE time < ?", arguments: [time])
      // Whole lines: one that is partly too old would keep the old part.
      try db.execute(sql: "DELETE FROM tracks WHERE begin < ?", arguments: [time])
    }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA incremental_vacuum")
      // What was deleted is still in the log of the database until it is emptied. A reader may prevent
      // that now; the next purge does it.
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// The time before which events are deleted; an earlier one than asked if it is in a long silence.
  ///
  /// Then it is counted back from the last event before the silence.
  private static func confirmed(
    _ time: String, _ silence: Double, _ db: Database
  ) throws -> String {
    try String.fetchOne(
      db,
      sql: """
        SELECT coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', last, ?2), '') FROM (SELECT
        (SELECT max(decided) FROM events WHERE decided < ?1) AS last,
        (SELECT min(decided) FROM events WHERE decided >= ?1) AS next) WHERE last IS NOT NULL
        AND (next IS NULL OR julianday(next) - julianday(last) > ?3)
        """, arguments: [time, "-\(silence) seconds", silence / 86_400]) ?? time
  }
}
