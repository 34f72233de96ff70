internal import GRDB
package import Session

/// Where devices are by the events of a store, for receivers that show the present.
extension OutboxQueue {
  /// What an event says about where its device is.
  package struct Sighting: Sendable, Hashable {
    /// The place of the event in the store.
    package var sequence: Int64
    package var device: String
    package var fence: String?
    /// Orders the events of a device: the greatest, and of equal ones the last, says where it is.
    package var recency: String
    /// `inside`, `outside` or `unknown`, of its fence.
    package var state: String?
    /// Whether the device was at its position when it was decided; not after a departure.
    package var hasPosition: Bool
  }

  /// The first events after a place in the store, in its order.
  package func sightings(
    after sequence: Int64, limit: Int
  ) throws(EntryStoreError) -> [Sighting] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT seq, device, fence, \(StoreSchema.recency("events")),
          CASE type WHEN 'enter' THEN 'inside' WHEN 'dwell' THEN 'inside' WHEN 'exit' THEN 'outside'
          WHEN 'state' THEN json_extract(json, '$.state') END,
          json_extract(json, '$.latitude') IS NOT NULL AND json_extract(json, '$.departure') IS NULL
          AND json_extract(json, '$.retracted') IS NULL
          FROM events WHERE seq > ? ORDER BY seq LIMIT ?
          """)
      return try Row.fetchAll(statement, arguments: [sequence, limit]).map { row in
        Sighting(
          sequence: row[0], device: row[1], fence: row[2], recency: row[3], state: row[4],
          hasPosition: row[5])
      }
    }
  }

  /// The line of the event at a place in the store; nil when it is no longer there.
  package func line(at sequence: Int64) throws(EntryStoreError) -> String? {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT json FROM events WHERE seq = ?")
      return try String.fetchOne(statement, arguments: [sequence])
    }
  }

  /// The ids of the fences that the store has seen, the oldest first.
  package func fenceIDs() throws(EntryStoreError) -> [String] {
    try read { db in try String.fetchAll(db, sql: "SELECT id FROM fences ORDER BY fid") }
  }
}
