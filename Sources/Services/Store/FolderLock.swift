internal import Glibc
internal import System

/// The right to change a state folder, which one process at a time has, until this is gone.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock of a folder, waiting for it up to `patience`: a launcher has it only for
  /// moments.
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
      // A lock that is refused for another reason is not to be had either.
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
        throw .inUse(path: folder.path)
      }
      usleep(Self.pause)
    }
  }

  deinit { WholeFile.unlockAndClose(descriptor) }

  /// Microseconds between two tries.
  private static let pause: UInt32 = 5_000
}

/// Why nothing lasts.
package enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another program uses the folder.
  case inUse(path: String)
  case refused(path: String, String)

  /// One sentence that says what is wrong.
  package var description: String {
    switch self {
    case .inUse(let path):
      "\(path): another program keeps its state there, so nothing of this one lasts; give each a "
        + "folder of its own"
    case .refused(let path, let reason): "\(path): cannot keep the state there: \(reason)"
    }
  }
}
