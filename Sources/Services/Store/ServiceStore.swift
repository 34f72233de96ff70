/// Where a program's services keep what lasts between launches.
package protocol StateStore: Sendable {
  /// Where the program's permission is kept, unless its policy names another place.
  var permissionFile: PermissionFile { get }
  /// What was kept; nil when nothing was.
  func load() -> ServiceState?
  /// Keeps everything; false when the system refused, which was reported.
  func save(_ state: ServiceState) -> Bool
  /// What happened while the program did not run, oldest first; it stays until it is taken.
  func pending() -> [PendingEvent]
  /// The program has received what was pending.
  func takePending()
}

/// What a program's services keep between launches, in a folder that is theirs as long as this
/// lives.
///
/// Without a folder there is no store, and nothing is written anywhere.
package final class ServiceStore: StateStore {
  private let folder: ServiceFolder
  private let lock: FolderLock

  /// Takes a folder, which is made unless it is there, waiting up to `patience` for a launcher that
  /// has it for a moment.
  ///
  /// - Throws: ``StoreError`` when another program has it or the system refuses: the program goes on
  ///   without it.
  package init(
    folder path: String, patience: Duration = .seconds(1),
    say: @escaping @Sendable (String) -> Void
  ) throws(StoreError) {
    folder = ServiceFolder(path, say: say)
    lock = try FolderLock(folder, patience: patience)
  }

  /// Where the program's permission is kept, unless its policy names another place.
  package var permissionFile: PermissionFile { PermissionFile(path: folder.permissionPath) }

  /// What was kept; nil when nothing was.
  package func load() -> ServiceState? { folder.load() }

  /// Keeps everything; false when the system refused, which was told.
  @discardableResult
  package func save(_ state: ServiceState) -> Bool { folder.save(state) }

  /// What happened while the program did not run, oldest first; it stays until it is taken.
  package func pending() -> [PendingEvent] { folder.pending() }

  /// The program has been told what was pending.
  package func takePending() { folder.removePending() }
}
