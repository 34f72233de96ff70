package import EventLog
package import Tracking

/// Keeps entries of the event log beside it, such as a database.
///
/// One thread at a time uses it.
package protocol EntryStore: AnyObject {
  /// The kinds that it keeps, whatever the log shows.
  var kinds: Set<LogEntry.Kind> { get }

  /// Keeps the entries of its kinds in one step: after a crash it has all of them or none.
  ///
  /// Entries that it has are skipped, so after an error or a restart the same entries can be passed
  /// again.
  func keep(_ entries: [LogEntry]) throws(EntryStoreError)

  /// Keeps the fences, which have changed.
  func keep(_ fences: FenceSet) throws(EntryStoreError)
}

/// Why a store cannot be used.
package struct EntryStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path of the store.
  package var path: String
  /// The reason, such as `no space left on device`.
  package var reason: String
  /// What to do; nil when it is obvious.
  package var advice: String?
  /// Whether it may pass by itself, as a lock or a full disk does, and not a wrong path.
  package var isTemporary: Bool

  package init(path: String, reason: String, advice: String? = nil, isTemporary: Bool = false) {
    self.path = path
    self.reason = reason
    self.advice = advice
    self.isTemporary = isTemporary
  }

  package var description: String {
    "\(path): the store cannot be used: \(reason)\(advice.map { "; \($0)" } ?? "")"
  }
}
