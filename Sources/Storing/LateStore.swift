package import EventLog
package import Session
package import Text
package import Tracking

/// The store of a live run, which is opened later while another program has locked it or the disk is full.
///
/// So a run begins as it goes on: its events wait, and each attempt to keep them tries to open the store.
package final class LateStore: EntryStore {
  package let kinds: Set<LogEntry.Kind>
  /// Why it could not be opened at the start; nil when it was.
  package private(set) var failure: EntryStoreError?

  private let settings: StoreSettings
  private var fences: FenceSet
  /// Nil until it could be opened, with the fences in it.
  private var store: EventStore?

  /// Opens a store, which is created if the file is missing, and keeps the fences in it.
  ///
  /// - Throws: Why it cannot be used, unless that may pass by itself: see ``failure``.
  package init(_ settings: StoreSettings, _ fences: FenceSet) throws(EntryStoreError) {
    (self.settings, self.fences) = (settings, fences)
    kinds = EventStore.kinds(settings, keepsStatus: true)
    do throws(EntryStoreError) {
      _ = try opened()
    } catch {
      guard error.isTemporary else { throw error }
      failure = error
    }
  }

  private func opened() throws(EntryStoreError) -> EventStore {
    if let store { return store }
    let new = try EventStore(settings, isLive: true)
    try new.keep(fences)
    store = new
    return new
  }

  /// The last events that live runs stored, as lines of the event log, the oldest first.
  ///
  /// There are none while the store could not be opened.
  ///
  /// - Parameters:
  ///   - count: How many at most.
  ///   - devices: Those whose events are wanted; nil for all.
  package func lastLines(
    _ count: Int, of kinds: Set<LogEntry.Kind>, devices: Set<ExactText>?
  ) throws(EntryStoreError) -> [[UInt8]] {
    try store?.lastLines(count, of: kinds, devices: devices) ?? []
  }

  package func keep(_ entries: [LogEntry]) throws(EntryStoreError) {
    try opened().keep(entries)
  }

  package func keep(_ fences: FenceSet) throws(EntryStoreError) {
    self.fences = fences
    // The one that is opened now gets them already.
    if let store { try store.keep(fences) } else { _ = try opened() }
  }
}
