internal import Foundation
internal import GRDB
package import Session
package import Text

/// The queues of receivers: a cursor each over the events of a store.
///
/// Any thread may use it: each call is one transaction of a connection of its own. A power cut may lose
/// the last moves of a cursor; then the same events are delivered again, under the same ids.
package final class OutboxQueue: Sendable {
  /// What a receiver wants of the events.
  package struct Filter: Sendable, Hashable {
    /// Types of events.
    package var types: Set<String>
    /// Nil for all events, also those without a fence.
    package var fences: Set<String>?
    package var devices: Set<ExactText>?

    package init(types: Set<String>, fences: Set<String>? = nil, devices: Set<ExactText>? = nil) {
      self.types = types
      self.fences = fences
      self.devices = devices
    }
  }

  /// An event of the store.
  package struct StoredEvent: Sendable, Hashable {
    /// The place in the store.
    package var sequence: Int64
    /// The line of the event log, without its end.
    package var json: String
    /// When it was decided, in the form of the log; nil when it is unknown.
    package var decided: String?
  }

  /// The place and the fate of a receiver.
  package struct Position: Sendable, Hashable {
    /// The place of the last event that is done: delivered, not wanted, or a dead letter.
    package var cursor: Int64
    /// Failed attempts in a row.
    package var attempts: Int
    /// When the first of them was, seconds since 1970.
    package var failingSince: Double?
    /// When the next attempt is due, seconds since 1970; nil for at once.
    package var nextAttempt: Double?
    /// When the receiver said that it wants no more events.
    package var gone: Double?
    /// Why the last attempt failed.
    package var error: String?
    /// Why events wait without an attempt, such as quiet hours; until the next event is delivered.
    package var held: String?
  }

  private let queue: DatabaseQueue
  private let path: String

  /// Opens the queues of a store, which is created if the file is missing.
  package init(_ path: String) throws(EntryStoreError) {
    self.path = path
    queue = try StoreConnection.attempt(path) {
      try StoreConnection.open(path, for: .queues)
    }
  }

  // MARK: Receivers

  /// Makes these receivers the active ones; a new one begins after the last event of the store.
  ///
  /// Others keep their cursors, and no longer hold back the retention.
  package func activate(_ receivers: [(name: String, filter: Filter)]) throws(EntryStoreError) {
    try change { db in
      try db.execute(sql: "UPDATE receivers SET active = 0")
      for (name, filter) in receivers {
        try db.execute(
          sql: """
            INSERT INTO receivers (name, cursor, active, types, fences, devices)
            VALUES (?1, (SELECT coalesce(max(seq), 0) FROM events), 1, ?2, ?3, ?4)
            ON CONFLICT (name) DO UPDATE SET active = 1, types = ?2, fences = ?3, devices = ?4
            """,
          arguments: [
            name, Self.list(filter.types.sorted()), Self.list(filter.fences?.sorted()),
            Self.list(filter.devices?.sorted().map(\.text)),
          ])
      }
    }
  }

  /// A list for json_each.
  private static func list(_ texts: [String]?) throws -> String? {
    guard let texts else { return nil }
    return String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
  }

  /// The position of a receiver; nil when the store does not know it.
  package func position(of name: String) throws(EntryStoreError) -> Position? {
    try read { db in
      let row = try db.cachedStatement(
        sql: """
          SELECT cursor, attempts, failing_since, next_attempt, gone, error, held FROM receivers
          WHERE name = ?
          """)
      return try Row.fetchOne(row, arguments: [name]).map { row in
        Position(
          cursor: row[0], attempts: row[1], failingSince: row[2], nextAttempt: row[3],
          gone: row[4], error: row[5], held: row[6])
      }
    }
  }

  // MARK: Events

  /// The next event that a receiver wants; nil when there is none, and then its cursor is at the end.
  package func next(for name: String) throws(EntryStoreError) -> StoredEvent? {
    try change { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT events.seq, events.json, events.decided FROM receivers JOIN events
          ON events.seq > receivers.cursor WHERE receivers.name = ? AND \(StoreSchema.wanted)
          ORDER BY events.seq LIMIT 1
          """)
      if let row = try Row.fetchOne(statement, arguments: [name]) {
        return StoredEvent(sequence: row[0], json: row[1], decided: row[2])
      }
      try db.cachedStatement(
        sql: """
          UPDATE receivers SET cursor = (SELECT max(seq) FROM events)
          WHERE name = ? AND cursor < (SELECT max(seq) FROM events)
          """
      ).execute(arguments: [name])
      return nil
    }
  }

  /// How an event was done.
  package enum Done: Sendable, Hashable {
    /// Acknowledged, at a time in seconds since 1970.
    case delivered(at: Double)
    /// Left out, as quiet hours want.
    case skipped
  }

  /// Moves the cursor of a receiver past an event.
  ///
  /// It stays if somebody has moved it since the event was read, as `outbox --replay` does.
  package func finish(
    _ event: StoredEvent, for name: String, from cursor: Int64, _ done: Done
  ) throws(EntryStoreError) {
    try change { db in
      switch done {
      case .delivered(let time):
        try db.cachedStatement(
          sql: """
            UPDATE receivers SET cursor = ?1, delivered = delivered + 1, delivered_at = ?2,
            attempts = 0, failing_since = NULL, next_attempt = NULL, error = NULL, held = NULL
            WHERE name = ?3 AND cursor = ?4
            """
        ).execute(arguments: [event.sequence, time, name, cursor])
      case .skipped:
        try db.cachedStatement(
          sql: "UPDATE receivers SET cursor = ?1 WHERE name = ?2 AND cursor = ?3"
        ).execute(arguments: [event.sequence, name, cursor])
      }
    }
  }

  /// Notes why events wait without an attempt.
  package func hold(_ name: String, reason: String) throws(EntryStoreError) {
    try change { db in
      try db.execute(
        sql: "UPDATE receivers SET held = ?1 WHERE name = ?2", arguments: [reason, name])
    }
  }

  /// Notes a failed attempt.
  package func fail(
    _ name: String, reason: String, at time: Double, nextAttempt: Double
  ) throws(EntryStoreError) {
    try change { db in
      try db.execute(
        sql: """
          UPDATE receivers SET attempts = attempts + 1, next_attempt = ?1, error = ?2, held = NULL,
          failing_since = coalesce(failing_since, ?3) WHERE name = ?4
          """, arguments: [nextAttempt, reason, time, name])
    }
  }

  /// Notes that a receiver wants no more events, until ``retry(_:)``.
  package func markGone(_ name: String, reason: String, at time: Double) throws(EntryStoreError) {
    try change { db in
      try db.execute(
        sql: "UPDATE receivers SET gone = ?1, error = ?2 WHERE name = ?3",
        arguments: [time, reason, name])
    }
  }

  /// Makes dead letters of the waiting events of a receiver that were decided before a time, up to
  /// the first that was not, and returns how many there are.
  package func giveUp(
    _ name: String, decidedBefore time: String, reason: String
  ) throws(EntryStoreError) -> Int {
    try change { db in
      try db.execute(
        sql: """
          INSERT INTO dead_letters (receiver, event, reason, json)
          SELECT receivers.name, events.seq, ?2, events.json FROM receivers JOIN events
          ON events.seq > receivers.cursor WHERE receivers.name = ?1 AND \(StoreSchema.wanted)
          AND coalesce(events.decided, '') < ?3 AND NOT EXISTS (SELECT 1 FROM events AS young
          WHERE young.seq > receivers.cursor AND young.seq < events.seq AND young.decided >= ?3)
          ON CONFLICT (receiver, event) DO NOTHING
          """, arguments: [name, reason, time])
      let count = db.changesCount
      guard count > 0 else { return 0 }
      try db.execute(
        sql: """
          UPDATE receivers SET attempts = 0, next_attempt = NULL, cursor =
          max(cursor, (SELECT max(event) FROM dead_letters WHERE receiver = ?1)) WHERE name = ?1
          """, arguments: [name])
      return count
    }
  }

  func read<Value: Sendable>(
    _ body: @Sendable (Database) throws -> Value
  ) throws(EntryStoreError) -> Value {
    try StoreConnection.attempt(path) { try queue.read(body) }
  }

  func change<Value: Sendable>(
    _ body: @Sendable (Database) throws -> Value
  ) throws(EntryStoreError) -> Value {
    try StoreConnection.attempt(path) { try queue.write(body) }
  }
}
