internal import System

/// The lock of a state folder, which one process at a time holds, as long as this object lives.
package final class FolderLock: Sendable {
  private let lock: FileLock

  /// Locks a folder, which is created if it is missing.
  ///
  /// It waits up to `patience`: a launcher holds the lock only for moments.
  ///
  /// - Throws: ``StoreError``.
  package init(_ folder: ServiceFolder, patience: Duration) throws(StoreError) {
    do throws(Folder.CreationFailure) {
      try Folder.create(folder.path, mode: 0o700)
    } catch {
      throw .refused(path: folder.path, error.cause.reason)
    }
    do throws(FolderTrust.Violation) {
      try FolderTrust.check(folder.path)
    } catch {
      throw .refused(path: folder.path, error.description)
    }
    do throws(FileLock.Failure) {
      lock = try FileLock(folder.file("lock"), patience: patience)
    } catch {
      switch error {
      case .held: throw .inUse(path: folder.path)
      case .refused(let failure): throw .refused(path: folder.path, failure.reason)
      }
    }
  }
}

/// Why the state cannot be saved.
package enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another program uses the folder.
  case inUse(path: String)
  case refused(path: String, String)

  /// What is wrong, in one sentence.
  package var description: String {
    switch self {
    case .inUse(let path):
      "\(path): another program has its state there, so the state of this one is not saved; give each "
        + "program a folder of its own"
    case .refused(let path, let reason): "\(path): cannot save the state there: \(reason)"
    }
  }
}
