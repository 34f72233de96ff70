internal import EventLog
internal import Session
internal import Tracking

/// Passes the entries of a live run to a store, and tries again while it fails.
///
/// The engine does not wait for it. Entries that could not be kept wait in memory; the journal of the
/// state keeps their inputs meanwhile.
final class LiveStore {
  /// Why the last attempt failed; nil after a success.
  private(set) var failure: EntryStoreError?
  /// Entries that were dropped because too many waited.
  private(set) var dropped = 0
  private var droppedFixes = 0

  private let store: any EntryStore
  private var waiting: [LogEntry] = []
  /// Whether it took events since ``takeNews()``.
  private var hasNews = false
  private var next: ContinuousClock.Instant?

  /// At most so many entries wait: some hundred megabytes.
  private static let mostWaiting = 100_000
  /// The time between attempts.
  private static let interval = Duration.seconds(5)

  /// - Parameter failure: Why the store could not be used so far; nil when it could.
  init(_ store: any EntryStore, failure: EntryStoreError? = nil) {
    (self.store, self.failure) = (store, failure)
  }

  /// Whether entries wait.
  var hasMore: Bool { !waiting.isEmpty }

  /// When the next attempt is due; nil when nothing waits.
  var deadline: ContinuousClock.Instant? { hasMore ? next : nil }

  /// The entries that are not stored: those that wait, and those that were dropped.
  var lost: (events: Int, fixes: Int) {
    let fixes = droppedFixes + waiting.count { $0.fix != nil }
    return (waiting.count + dropped - fixes, fixes)
  }

  /// Takes entries, and keeps them now, or later if the store fails.
  func take(_ entries: [LogEntry], at now: ContinuousClock.Instant) {
    let wanted = entries.filter { store.kinds.contains($0.kind) }
    waiting += wanted
    // Fixes have the same ids in every release, and are too many to note each.
    hasNews = hasNews || wanted.contains { $0.fix == nil }
    let excess = waiting.count - Self.mostWaiting
    if excess > 0 {
      droppedFixes += waiting.prefix(excess).count { $0.fix != nil }
      waiting.removeFirst(excess)
      dropped += excess
    }
    flush(at: now)
  }

  /// Keeps what waits if an attempt is due.
  func flush(at now: ContinuousClock.Instant) {
    guard hasMore, next.map({ now >= $0 }) ?? true else { return }
    attempt(at: now)
  }

  /// Keeps what waits, whether or not an attempt is due.
  func attempt(at now: ContinuousClock.Instant) {
    guard hasMore else { return }
    do throws(EntryStoreError) {
      try store.keep(waiting)
      waiting.removeAll(keepingCapacity: true)
      (failure, next) = (nil, nil)
    } catch {
      (failure, next) = (error, now + Self.interval)
    }
  }

  /// Whether events were kept since the last call, and none waits.
  func takeNews() -> Bool {
    guard hasNews, !hasMore else { return false }
    hasNews = false
    return true
  }

  /// Keeps the fences after the config was reloaded; nil on success.
  func keep(_ fences: FenceSet) -> EntryStoreError? {
    do throws(EntryStoreError) {
      try store.keep(fences)
      return nil
    } catch {
      return error
    }
  }
}
