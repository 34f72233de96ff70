package import EventLog
internal import Foundation
internal import GRDB
internal import Geodesy
package import Session
internal import Text
package import Tracking

/// Events in an SQLite database, see ``StoreSchema``.
///
/// Each call of ``keep(_:)`` is one transaction. An event is known by its id and revision, so the same
/// events can be kept again: after a kill, or by another replay of the same track.
package final class EventStore: EntryStore {
  package let kinds: Set<LogEntry.Kind>

  fileprivate let queue: DatabaseQueue
  private let settings: StoreSettings
  /// Decided when the last purge was made.
  private var purged: Timestamp?
  /// The time of the newest entry, at most the present.
  private var newest: Timestamp?
  private var tracks = StoreTracks()
  private let isLive: Bool
  /// When the last entries of a live run were stored; nil in a replay.
  ///
  /// It never goes back, though the clock may be set back.
  private var arrived: String?
  private let now: () -> Timestamp

  /// Events are purged when so much of the time for which they are kept has passed since the last
  /// purge.
  private static let purgesPerRetention = 100.0

  /// Opens a store, which is created if the file is missing.
  ///
  /// - Parameters:
  ///   - isLive: Whether events must survive a power cut at once. Otherwise the last ones may be lost,
  ///     and the run is made again.
  ///   - hindsight: Whether each event is decided with the fixes before and after it. All events of a
  ///     store are, or none.
  ///   - keepsStatus: Whether a replay's losses of the source are kept, as those of a live run are.
  ///   - now: The clock of the machine.
  package init(
    _ settings: StoreSettings, isLive: Bool, hindsight: Bool = false, keepsStatus: Bool = false,
    now: @escaping () -> Timestamp = {
      Timestamp(nanoseconds: 0).advanced(bySeconds: Date().timeIntervalSince1970)
    }
  ) throws(EntryStoreError) {
    self.settings = settings
    (self.isLive, self.now) = (isLive, now)
    kinds = Self.kinds(settings, keepsStatus: isLive || keepsStatus)
    let path = settings.path
    queue = try StoreConnection.attempt(path) {
      let queue = try StoreConnection.open(path, for: isLive ? .live : .replay)
      try StoreConnection.note(hindsight: hindsight, queue)
      return queue
    }
    guard isLive else { return }
    arrived = try StoreConnection.attempt(path) { try queue.read(StoreSchema.lastArrival) }
  }

  /// The kinds that a store with these settings keeps.
  static func kinds(_ settings: StoreSettings, keepsStatus: Bool) -> Set<LogEntry.Kind> {
    var kinds = Set(LogEntry.Kind.allCases)
    if !settings.keepsFixes { kinds.remove(.fix) }
    if !keepsStatus { kinds.remove(.status) }
    return kinds
  }

  // MARK: Events

  package func keep(_ entries: [LogEntry]) throws(EntryStoreError) {
    let entries = entries.filter { kinds.contains($0.kind) }
    guard !entries.isEmpty else { return }
    let present = now()
    // What the tracks remember is that of the database, also after a failure.
    var tracks = self.tracks
    arrived = arrived.map { max($0, StoreRows.text(present)) }
    try StoreConnection.attempt(settings.path) {
      try queue.write { try Self.insert(entries, &tracks, arrived, $0) }
    }
    self.tracks = tracks
    for entry in entries {
      newest = max(newest ?? .distantPast, min(entry.decided ?? .distantPast, present))
    }
    try purgeIfDue()
  }

  /// Adds the entries that are new.
  private static func insert(
    _ entries: [LogEntry], _ tracks: inout StoreTracks, _ arrived: String?, _ db: Database
  ) throws {
    var boxes = StoreExtents()
    var devices: [ExactText: (decided: String?, events: Int)] = [:]
    var rows = StoreRows(arrived: arrived)
    for entry in entries {
      guard try rows.insert(entry, db) else { continue }
      if let layer = entry.layer, let coordinate = entry.coordinate {
        boxes.extend(layer, to: coordinate)
      }
      if let fix = entry.fix {
        try tracks.add(fix, of: entry.device, db)
        if let coordinate = entry.coordinate { boxes.extend(.tracks, to: coordinate) }
        continue
      }
      let name = ExactText(entry.device)
      var device = devices[name] ?? (nil, 0)
      device.decided = entry.decided.map(StoreRows.text) ?? device.decided
      device.events += 1
      devices[name] = device
    }
    try tracks.write(db)
    for (name, device) in devices.sorted(by: { $0.key < $1.key }) {
      try db.cachedStatement(
        sql: """
          INSERT INTO devices VALUES (?1, ?2, ?3) ON CONFLICT (device) DO UPDATE SET
          decided = max(coalesce(decided, ''), coalesce(?2, decided, '')), events = events + ?3
          """
      ).execute(arguments: [name.text, device.decided, device.events])
    }
    try boxes.write(db)
  }

  /// The last events that live runs stored, as lines of the event log, see ``LateStore``.
  ///
  /// Of a store with more events than a start can look at, only the newest of all are looked at.
  func lastLines(
    _ count: Int, of kinds: Set<LogEntry.Kind>, devices: Set<ExactText>?
  ) throws(EntryStoreError) -> [[UInt8]] {
    let types = Set(kinds.map(\.rawValue))
    return try StoreConnection.attempt(settings.path) {
      try queue.read { db -> [[UInt8]] in
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT type, device, json FROM events WHERE arrived IS NOT NULL
            AND seq > (SELECT max(seq) FROM events) - \(Self.mostExamined) ORDER BY seq DESC
            """)
        var lines: [[UInt8]] = []
        while lines.count < count, let row = try rows.next() {
          let (type, device, json): (String, String, String) = (row[0], row[1], row[2])
          guard types.contains(type), devices?.contains(ExactText(device)) ?? true else { continue }
          lines.append(Array("\(json)\n".utf8))
        }
        return lines.reversed()
      }
    }
  }

  /// As many as are read in a tenth of a second.
  private static let mostExamined = 100_000

  // MARK: Fences

  /// More fences are not written: a million circles would take a gigabyte.
  package static let mostFences = 100_000

  /// Adds the fences, or replaces those with the same ids.
  ///
  /// Others stay: past events name them.
  package func keep(_ fences: FenceSet) throws(EntryStoreError) {
    guard fences.count <= Self.mostFences else { return }
    try StoreConnection.attempt(settings.path) {
      try queue.write { db in
        var boxes = StoreExtents()
        for fence in fences {
          try StoreRows.insert(fence, db)
          if let box = fence.area.boundingBox {
            boxes.extend(.fences, to: Coordinate(latitude: box.south, longitude: box.west))
            boxes.extend(.fences, to: Coordinate(latitude: box.north, longitude: box.east))
          }
        }
        try boxes.write(db)
      }
    }
  }

  // MARK: Retention

  private func purgeIfDue() throws(EntryStoreError) {
    guard let retention = settings.retention, let newest else { return }
    if let purged, newest.seconds(since: purged) < retention / Self.purgesPerRetention { return }
    purged = newest
    tracks = StoreTracks()
    try StoreConnection.attempt(settings.path) {
      try StoreRetention.purge(
        queue, before: StoreRows.text(newest.advanced(bySeconds: -retention)),
        unconfirmed: isLive ? nil : retention)
    }
  }
}

extension EventStore {
  /// Limits the size of the file, as a full disk does; for tests.
  func limitPages(to count: Int) {
    _ = try? queue.writeWithoutTransaction { db in
      try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(count)")
    }
  }
}
