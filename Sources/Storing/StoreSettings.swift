/// The settings of a store.
package struct StoreSettings: Sendable, Hashable {
  /// The path of the file.
  package var path: String
  /// How long events are kept, seconds; nil for ever.
  package var retention: Double?
  /// Whether fixes are kept as well.
  package var keepsFixes: Bool

  package init(path: String, retention: Double? = nil, keepsFixes: Bool = false) {
    self.path = path
    self.retention = retention
    self.keepsFixes = keepsFixes
  }

  /// What follows the path of a store in the names of the files beside it.
  package static let suffixes = ["-wal", "-shm", "-journal", lockSuffix]
  /// The end of the name of the file that is locked while events are delivered.
  package static let lockSuffix = "-outbox"
}
