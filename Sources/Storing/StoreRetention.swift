internal import GRDB

/// Deletes what is older than a store keeps.
enum StoreRetention {
  /// Deletes events decided before a time, and fixes before it; the bytes are overwritten.
  ///
  /// The last event of a device at a fence stays, because `now_inside` needs it, and so does what waits
  /// for an active receiver.
  static func purge(_ queue: DatabaseQueue, before time: String) throws {
    try queue.write { db in
      try db.execute(
        sql: """
          DELETE FROM events WHERE decided < ?1 AND NOT (type IN ('enter', 'exit', 'state')
          AND NOT EXISTS (SELECT 1 FROM events AS later WHERE later.device = events.device
          AND later.fence = events.fence AND later.type IN ('enter', 'exit', 'state')
          AND (later.decided, later.seq) > (events.decided, events.seq)))
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
    }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA incremental_vacuum")
      // What was deleted is still in the log of the database until it is emptied. A reader may prevent
      // that now; the next purge does it.
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }
}
