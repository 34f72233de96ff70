internal import Glibc

/// The lock of a file, which one process at a time holds, as long as this object lives.
///
/// The system releases it when the process ends, however that happens.
package final class FileLock: Sendable {
  /// The locked file, open for reading and writing.
  package let descriptor: Int32

  /// Why there is no lock.
  package enum Failure: Error, Sendable, Hashable {
    /// Another process holds it.
    case held
    /// The file cannot be opened.
    case refused(WholeFile.Failure)
  }

  /// Locks the file at `path`, which is created if it is missing, see ``WholeFile/openPrivate(_:_:)``.
  ///
  /// - Parameters:
  ///   - flags: More flags for open(2).
  ///   - patience: How long it waits for another process to release the lock.
  package convenience init(
    _ path: String, flags: Int32 = 0, patience: Duration = .zero
  ) throws(Failure) {
    let descriptor: Int32
    do throws(WholeFile.Failure) {
      descriptor = try WholeFile.openPrivate(path, O_RDWR | O_CREAT | flags)
    } catch {
      throw .refused(error)
    }
    try self.init(taking: descriptor, patience: patience)
  }

  /// Locks an open file, and closes it with the lock, or at once when there is none.
  package init(taking descriptor: Int32, patience: Duration = .zero) throws(Failure) {
    self.descriptor = descriptor
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // Any other error counts as held too.
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else { throw .held }
      usleep(Self.pause)
    }
  }

  deinit { WholeFile.unlockAndClose(descriptor) }

  /// The pause between two attempts, microseconds.
  private static let pause: UInt32 = 5_000
}
