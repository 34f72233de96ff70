internal import Glibc
internal import System

/// The lock of a state folder, which one process at a time holds, as long as this object lives.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Locks a folder, which is created if it is missing.
  ///
  /// It waits up to `patience`: a launcher holds the lock only for moments.
  ///
  /// - Throws: ``StoreError``.
  package init(_ folder: ServiceFolder, patience: Duration) throws(StoreError) {
    do throws(WholeFile.Failure) {
      try PrivateFolder.make(folder.path)
    } catch {
      throw .refused(path: folder.path, error.reason)
    }
    do throws(FolderTrust.Violation) {
      try FolderTrust.check(folder.path)
    } catch {
      throw .refused(path: folder.path, error.description)
    }
    let path = folder.file("lock")
    do throws(WholeFile.Failure) {
      descriptor = try WholeFile.openOwn(path, O_RDWR | O_CREAT)
    } catch {
      throw .refused(path: folder.path, error.reason)
    }
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // Any other error counts as in use too.
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
        throw .inUse(path: folder.path)
      }
      usleep(Self.pause)
    }
  }

  deinit { WholeFile.unlockAndClose(descriptor) }

  /// The pause between two attempts, microseconds.
  private static let pause: UInt32 = 5_000
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
