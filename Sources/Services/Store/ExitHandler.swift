internal import Foundation
internal import Locking

/// Waits at the normal exit of the process until unsaved changes are on the disk.
enum ExitHandler {
  private struct Entry {
    weak var archive: Archive?
  }

  private static let entries = Mutex<[Entry]>([])

  /// The longest wait for the disk, seconds: a disk that hangs must not keep the process from exiting.
  private static let patience = 10.0

  /// Adds an archive until it is released.
  static func add(_ archive: Archive) {
    _ = registration
    entries.withLock { entries in
      entries.removeAll { $0.archive == nil }
      entries.append(Entry(archive: archive))
    }
  }

  private static let registration: Void = {
    atexit {
      for archive in ExitHandler.entries.withLock({ $0.compactMap(\.archive) }) {
        archive.flush(within: ExitHandler.patience)
      }
    }
  }()
}
