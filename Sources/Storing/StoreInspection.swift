internal import GRDB
package import Session

/// What a store holds, read without changing it.
package struct StoreInspection: Sendable, Hashable {
  /// The version of its tables.
  package let version: Int
  package let events: Int

  /// Reads the store at `path`, which must be there.
  package init(_ path: String) throws(EntryStoreError) {
    (version, events) = try StoreConnection.attempt(path) {
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      return try DatabaseQueue(path: path, configuration: configuration).read { db in
        let version = try StoreConnection.version(of: db)
        return (version, try Int.fetchOne(db, sql: "SELECT sum(events) FROM devices") ?? 0)
      }
    }
  }
}
