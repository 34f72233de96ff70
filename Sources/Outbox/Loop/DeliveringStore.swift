package import EventLog
package import Session
package import Tracking

/// A store whose new events are delivered.
package final class DeliveringStore: EntryStore {
  private let store: any EntryStore
  private let outbox: Outbox

  package init(_ store: any EntryStore, _ outbox: Outbox) {
    self.store = store
    self.outbox = outbox
  }

  package var kinds: Set<LogEntry.Kind> { store.kinds }

  package func keep(_ entries: [LogEntry]) throws(EntryStoreError) {
    try store.keep(entries)
    if entries.contains(where: { $0.kind != .fix }) { outbox.ring() }
  }

  package func keep(_ fences: FenceSet) throws(EntryStoreError) {
    outbox.fences.replace(with: fences)
    outbox.ring()
    try store.keep(fences)
  }
}
