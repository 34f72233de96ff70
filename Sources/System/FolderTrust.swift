internal import Glibc

/// Whether only the user and root can change what is in a folder.
///
/// The rules are those of OpenSSH's StrictModes: the folder and its parent folders, up to the home
/// folder or `/`, belong to the user or root, and neither the group nor others may write to them. There
/// is one exception, as programs keep much in `/tmp`: others may write to a parent folder whose sticky
/// bit is set, because there they cannot replace what is not theirs. Symbolic links are resolved first.
package enum FolderTrust {
  /// Why a folder is refused.
  package enum Violation: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another user owns it.
    case owner(path: String, owner: UInt32, user: UInt32)
    /// The group or others may write to it; `mode` as chmod(1) has it.
    case writable(path: String, mode: UInt32)
    /// The system did not say.
    case system(String)

    /// What was found, and what to do.
    package var description: String {
      switch self {
      case .owner(let path, let owner, let user):
        "\(path) belongs to user \(owner), expected user \(user) or root; use another folder, or "
          + "run 'chown \(user) \(path)'"
      case .writable(let path, let mode):
        "other users may write to \(path) (mode \(String(mode, radix: 8))); "
          // The folder of all users, such as /tmp, must stay as it is.
          + (mode & S_ISVTX == 0 ? "run 'chmod go-w \(path)'" : "use a folder of your own in it")
      case .system(let reason): reason
      }
    }
  }

  /// Checks a folder and its parent folders.
  ///
  /// - Parameters:
  ///   - path: A folder that is there, or a link to one.
  ///   - user: Who may own it, besides root.
  package static func check(
    _ path: String, for user: UInt32 = geteuid()
  ) throws(Violation) {
    guard let start = resolved(path) else {
      throw .system(WholeFile.Failure(code: errno).reason)
    }
    let home = getenv("HOME").flatMap { resolved(String(cString: $0)) }
    var folder = start[...]
    while true {
      try check(String(folder), for: user, isParent: folder.count < start.count)
      guard folder != "/", String(folder) != home, let end = folder.lastIndex(of: "/") else {
        return
      }
      folder = end == folder.startIndex ? "/" : folder[..<end]
    }
  }

  private static func check(
    _ path: String, for user: UInt32, isParent: Bool
  ) throws(Violation) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(WholeFile.Failure(code: errno).reason) }
    guard status.st_uid == user || status.st_uid == 0 else {
      throw .owner(path: path, owner: status.st_uid, user: user)
    }
    let isSticky = isParent && status.st_mode & S_ISVTX != 0
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || isSticky else {
      throw .writable(path: path, mode: status.st_mode & 0o7777)
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let whole = realpath(path, nil) else { return nil }
    defer { free(whole) }
    return String(cString: whole)
  }
}
