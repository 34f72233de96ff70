internal import GRDB
package import Session

/// What people see and do: `waymark outbox`.
extension OutboxQueue {
  /// A receiver and what waits for it.
  package struct Overview: Sendable, Hashable {
    package var name: String
    /// Whether the last run that delivered had it in its config.
    package var isActive: Bool
    /// The number of waiting events.
    package var waiting: Int
    /// When the oldest of them was decided, in the form of the log.
    package var oldest: String?
    package var delivered: Int
    /// When the last one was, seconds since 1970.
    package var lastDelivery: Double?
    package var position: Position
    /// The number of dead letters.
    package var dead: Int
  }

  /// A dead letter.
  package struct DeadLetter: Sendable, Hashable {
    package var receiver: String
    package var reason: String
    /// The line of the event log.
    package var json: String
  }

  /// All receivers by name.
  package func overview() throws(EntryStoreError) -> [Overview] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT name, active, waiting, oldest, delivered, delivered_at, cursor, attempts,
          failing_since, next_attempt, gone, error, held, dead FROM outbox ORDER BY name
          """
      ).map { row in
        Overview(
          name: row["name"], isActive: row["active"], waiting: row["waiting"],
          oldest: row["oldest"], delivered: row["delivered"], lastDelivery: row["delivered_at"],
          position: Position(
            cursor: row["cursor"], attempts: row["attempts"], failingSince: row["failing_since"],
            nextAttempt: row["next_attempt"], gone: row["gone"], error: row["error"],
            held: row["held"]),
          dead: row["dead"])
      }
    }
  }

  /// The dead letters of a receiver, or of all, oldest first.
  package func deadLetters(of name: String?) throws(EntryStoreError) -> [DeadLetter] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT receiver, reason, json FROM dead_letters WHERE ?1 IS NULL OR receiver = ?1
          ORDER BY receiver, event
          """, arguments: [name]
      ).map { DeadLetter(receiver: $0[0], reason: $0[1], json: $0[2]) }
    }
  }

  /// Makes the next attempt due at once, also for a receiver that wanted no more events.
  package func retry(_ name: String) throws(EntryStoreError) {
    try change { db in
      try db.execute(
        sql: "UPDATE receivers SET attempts = 0, next_attempt = NULL, gone = NULL WHERE name = ?",
        arguments: [name])
    }
  }

  /// Sets a receiver back to the first event decided at or after a time, and returns how many wait.
  ///
  /// - Parameter time: In the form of the log.
  package func replay(_ name: String, since time: String) throws(EntryStoreError) -> Int {
    try change { db in
      try db.execute(
        sql: """
          UPDATE receivers SET attempts = 0, next_attempt = NULL, cursor = coalesce(
          (SELECT min(seq) - 1 FROM events WHERE decided >= ?1), cursor) WHERE name = ?2
          """, arguments: [time, name])
      try db.execute(
        sql: """
          DELETE FROM dead_letters WHERE receiver = ?1
          AND event > (SELECT cursor FROM receivers WHERE name = ?1)
          """, arguments: [name])
      return try Int.fetchOne(
        db, sql: "SELECT waiting FROM outbox WHERE name = ?", arguments: [name]) ?? 0
    }
  }

  /// Drops what waits for a receiver, and its dead letters; returns how many both were.
  package func discard(_ name: String) throws(EntryStoreError) -> Int {
    try change { db in
      let waiting = try Int.fetchOne(
        db, sql: "SELECT waiting FROM outbox WHERE name = ?", arguments: [name])
      try db.execute(
        sql: """
          UPDATE receivers SET attempts = 0, next_attempt = NULL, failing_since = NULL,
          error = NULL, cursor = (SELECT coalesce(max(seq), 0) FROM events) WHERE name = ?
          """, arguments: [name])
      try db.execute(sql: "DELETE FROM dead_letters WHERE receiver = ?", arguments: [name])
      return (waiting ?? 0) + db.changesCount
    }
  }
}
