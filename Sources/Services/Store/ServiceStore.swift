/// Saves the state of a program's services between launches.
package protocol StateStore: Sendable {
  /// The program's permission file, unless its policy names another one.
  var permissionFile: PermissionFile { get }
  /// The saved state; nil when there is none.
  func load() -> ServiceState?
  /// Saves everything; false when the system refused, which was reported.
  func save(_ state: ServiceState) -> Bool
  /// The events while the program did not run, oldest first; they stay until they are taken.
  func pending() -> [PendingEvent]
  /// Removes the pending events, when the program has received them.
  func takePending()
}

/// Saves the state of a program's services in a folder, and holds its lock.
///
/// Without a folder there is no store, and no file is written.
package final class ServiceStore: StateStore {
  private let folder: ServiceFolder
  private let lock: FolderLock

  /// Locks a folder, which is created if it is missing; waits up to `patience` for a launcher that holds
  /// the lock for a moment.
  ///
  /// - Throws: ``StoreError`` when another program has it or the system refuses. The program continues
  ///   without it.
  package init(
    folder path: String, patience: Duration = .seconds(1),
    log: @escaping @Sendable (String) -> Void
  ) throws(StoreError) {
    folder = ServiceFolder(path, log: log)
    lock = try FolderLock(folder, patience: patience)
  }

  /// The program's permission file, unless its policy names another one.
  package var permissionFile: PermissionFile { PermissionFile(path: folder.permissionPath) }

  /// The saved state; nil when there is none.
  package func load() -> ServiceState? { folder.load() }

  /// Saves everything; false when the system refused, which was reported.
  @discardableResult
  package func save(_ state: ServiceState) -> Bool { folder.save(state) }

  /// The events while the program did not run, oldest first; they stay until they are taken.
  package func pending() -> [PendingEvent] { folder.pending() }

  /// Removes the pending events, when the program has received them.
  package func takePending() { folder.removePending() }
}
