internal import Glibc

/// The identity of the file at a path, to compare two paths.
///
/// A regular file is known by its device and inode. A file that does not exist yet is known by its
/// folder and its name. Links are followed.
package struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let inode: UInt64
  /// The name in the folder with this inode; nil for the inode itself.
  private let name: String?

  /// Nil for a folder, a pipe or a device, and when the folder of the path does not exist.
  package init?(_ path: String) {
    var path = path
    // As many links as Linux follows in one path.
    for _ in 0..<40 {
      var status = stat()
      if stat(path, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status, name: nil)
        return
      }
      let (folder, name) = Self.split(path)
      if let target = Self.target(of: path) {
        path = target.hasPrefix("/") ? target : folder + target
        continue
      }
      guard !name.isEmpty, stat(folder.isEmpty ? "." : folder, &status) == 0 else { return nil }
      self.init(status, name: name)
      return
    }
    return nil
  }

  /// The path behind the symbolic links at the end of a path, which need not exist; else the path.
  package static func target(behind path: String) -> String {
    var end = path
    for _ in 0..<40 {
      guard let next = target(of: end) else { break }
      end = next.hasPrefix("/") ? next : split(end).folder + next
    }
    // Links of /proc name what is no path, such as a pipe.
    return FileIdentity(end) == FileIdentity(path) ? end : path
  }

  private init(_ status: stat, name: String?) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    self.name = name
  }

  /// The folder of a path, with its slash, and the name behind it.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  /// Where a symbolic link points to; nil when the path is no link.
  private static func target(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, buffer.count) } ?? 0
    }
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}

/// A file that an option or an argument of a command names.
package struct FileUse: Sendable {
  /// The option or argument, as messages name it.
  package let option: String
  /// The file itself and those that are written beside it.
  fileprivate let paths: [String]
  fileprivate let isWritten: Bool

  /// A file that is read.
  package static func reading(_ option: String, _ path: String) -> FileUse {
    FileUse(option: option, paths: [path], isWritten: false)
  }

  /// A file that is written.
  ///
  /// - Parameter suffixes: What follows its path in the names of the files written beside it.
  package static func writing(
    _ option: String, _ path: String, suffixes: [String] = []
  ) -> FileUse {
    FileUse(option: option, paths: [path] + suffixes.map { path + $0 }, isWritten: true)
  }

  /// The first two uses of one file of which at least one writes it, in their order, and its path in
  /// the second; nil when there are none.
  package static func clash(
    in uses: [FileUse]
  ) -> (first: FileUse, second: FileUse, path: String)? {
    var seen: [FileIdentity: [FileUse]] = [:]
    for use in uses {
      let files = use.paths.compactMap { path in FileIdentity(path).map { (path, $0) } }
      for (path, file) in files {
        if let other = seen[file]?.first(where: { $0.isWritten || use.isWritten }) {
          return (other, use, path)
        }
      }
      for (_, file) in files { seen[file, default: []].append(use) }
    }
    return nil
  }
}
