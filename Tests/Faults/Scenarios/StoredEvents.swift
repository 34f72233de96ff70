import Foundation
import GRDB
import TestSupport

/// The store of a scenario, `events.gpkg`.
enum StoredEvents {
  /// The lines of the event log in a store, in order; none without a store.
  ///
  /// They are read from a copy, which recovers after a kill as the store itself will.
  static func lines(_ stage: Stage) throws -> [String] {
    let copy = try ScratchFolder()
    for name in ["events.gpkg", "events.gpkg-wal"] where stage.bytes(name) != nil {
      try copy.copy(name, from: stage.folder)
    }
    let path = copy.file("events.gpkg")
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try DatabaseQueue(path: path).write { db in
      let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      guard integrity == ["ok"] else { throw Failure(integrity.joined(separator: ", ")) }
      guard try db.tableExists("events") else { return [] }
      return try String.fetchAll(db, sql: "SELECT json FROM events ORDER BY seq")
    }
  }

  /// Says in what a store differs from that of a run that was not disturbed.
  static func difference(_ stage: Stage, _ expected: Stage) -> String? {
    do {
      let (found, all) = (try lines(stage), try lines(expected))
      return firstDifference(
        "store", found.joined(separator: "\n"), all.joined(separator: "\n"))
    } catch {
      return "store: \(error)"
    }
  }
}
