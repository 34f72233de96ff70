internal import GRDB
internal import Glibc
internal import Session
internal import System

/// Connections to a store.
enum StoreConnection {
  /// How long a statement waits for another program that writes, seconds.
  ///
  /// `watch` tries again later, and meanwhile goes on; the others report the error.
  private static let patience = 2.0

  /// What a connection is for.
  enum Use {
    /// Live events, which must survive a power cut at once.
    case live
    /// The events of a run that can be made again.
    case replay
    /// The queues of receivers.
    case queues
  }

  /// Opens a store for reading and writing, and creates what is missing.
  static func open(_ path: String, for use: Use) throws -> DatabaseQueue {
    try refuseSpecialFile(path)
    // A service writes for its group. SQLite gives the files beside it the same mode. A file that exists
    // is not opened: its close would release the locks of this process's other connections.
    if use == .live {
      let file = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
      if file >= 0 { close(file) }
    }
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.label = "waymark.store"
    configuration.prepareDatabase { db in
      // Deleted rows are overwritten.
      try db.execute(sql: "PRAGMA secure_delete = ON")
      // KiB.
      try db.execute(sql: "PRAGMA cache_size = -\(use == .replay ? 16_384 : 512)")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
      if isEmpty {
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        try db.execute(sql: "PRAGMA page_size = 4096")
      }
      // Readers do not wait for the writer, nor the writer for them.
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      // Only with such a log does NORMAL survive a power cut; the page that turns it on is written as FULL.
      try db.execute(sql: "PRAGMA synchronous = \(use == .live ? "FULL" : "NORMAL")")
      // Ids are in no order, so each batch of a replay changes most pages of their indexes. They are
      // copied into the file after 32 MiB of log instead of 4.
      if use == .replay { try db.execute(sql: "PRAGMA wal_autocheckpoint = 8192") }
    }
    // In a transaction, because another process may create the tables at this moment.
    try queue.write { db in
      if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 {
        try db.execute(sql: StoreSchema.creation)
        try db.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(StoreSchema.userVersion)")
      } else {
        if try version(of: db) < StoreSchema.version {
          try db.execute(sql: StoreSchema.additions)
        }
        try StoreSchema.update(db)
      }
    }
    return queue
  }

  /// SQLite reports a pipe or a device as an error of input and output.
  private static func refuseSpecialFile(_ path: String) throws {
    var found = stat()
    guard stat(path, &found) == 0, found.st_mode & S_IFMT != S_IFREG else { return }
    throw Unsuitable(reason: "it is not a regular file", advice: "name a new file")
  }

  /// The version of a store; throws for another database, and for a newer store.
  static func version(of db: Database) throws -> Int {
    guard try db.tableExists("waymark_store") else {
      throw Unsuitable(reason: "it is a database of another program", advice: "name a new file")
    }
    let version = try Int.fetchOne(db, sql: "SELECT version FROM waymark_store") ?? 0
    guard version <= StoreSchema.version else {
      throw Unsuitable(
        reason: "it was written by a newer waymark (store version \(version))",
        advice: "update this one")
    }
    return version
  }

  /// Notes how the events of a store are decided; throws when it has some that were decided otherwise.
  ///
  /// Each crossing would be there twice, with two times and two ids.
  static func note(hindsight: Bool, _ queue: DatabaseQueue) throws {
    try queue.write { db in
      if try !db.columns(in: "waymark_store").contains(where: { $0.name == "hindsight" }) {
        try db.execute(sql: "ALTER TABLE waymark_store ADD COLUMN hindsight BOOLEAN")
      }
      // Earlier builds noted nothing; nearly all of their stores are of live events.
      let known = try Bool.fetchOne(db, sql: "SELECT coalesce(hindsight, 0) FROM waymark_store")
      if known != hindsight, try Int.fetchOne(db, sql: "SELECT seq FROM events LIMIT 1") != nil {
        throw Unsuitable(
          reason: "it has events that were decided \(hindsight ? "without" : "in") hindsight",
          advice: "name a new file")
      }
      try db.execute(
        sql: "UPDATE waymark_store SET hindsight = ?1 WHERE hindsight IS NOT ?1",
        arguments: [hindsight])
    }
  }

  /// A database that cannot be the store.
  private struct Unsuitable: Error {
    var reason: String
    var advice: String
  }

  /// Runs `body` and turns its error into one that names the store.
  static func attempt<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(EntryStoreError) -> Value {
    do {
      return try body()
    } catch let error as Unsuitable {
      throw EntryStoreError(path: path, reason: error.reason, advice: error.advice)
    } catch let error as DatabaseError {
      throw Self.error(error, path)
    } catch {
      throw EntryStoreError(path: path, reason: "\(error)")
    }
  }

  private static func error(_ error: DatabaseError, _ path: String) -> EntryStoreError {
    switch error.resultCode {
    case .SQLITE_FULL:
      EntryStoreError(path: path, reason: "no space left on device", isTemporary: true)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      EntryStoreError(
        path: path, reason: "another program is writing to it",
        advice: "close that program, or wait for its end", isTemporary: true)
    case .SQLITE_NOTADB:
      EntryStoreError(
        path: path, reason: "it is not a GeoPackage or another SQLite database",
        advice: "name a new file")
    case .SQLITE_CORRUPT:
      EntryStoreError(
        path: path, reason: "it is damaged",
        advice: "save what `sqlite3 FILE .recover` still reads, and name a new file")
    case .SQLITE_CANTOPEN: cannotOpen(path)
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      EntryStoreError(path: path, reason: "it is read-only")
    case .SQLITE_IOERR:
      // So is a full disk named when the files beside the store cannot grow.
      EntryStoreError(path: path, reason: "input/output error", isTemporary: true)
    default:
      EntryStoreError(path: path, reason: error.message ?? "\(error.resultCode)")
    }
  }

  /// The error for a file that cannot be opened or created.
  ///
  /// SQLite does not pass on the system's reason.
  private static func cannotOpen(_ path: String) -> EntryStoreError {
    // A connection needs the file, its log and the index of the log.
    let files = (0..<3).map { _ in Glibc.open("/", O_RDONLY | O_CLOEXEC) }
    let code = errno
    for file in files where file >= 0 { close(file) }
    if files.contains(where: { $0 < 0 }), code == EMFILE || code == ENFILE {
      return EntryStoreError(
        path: path, reason: SystemError(code: code).description,
        advice: "allow more with `ulimit -n` or LimitNOFILE")
    }
    return EntryStoreError(
      path: path, reason: "it cannot be opened or created",
      advice: "its folder must exist and allow writing")
  }
}
