internal import Glibc

/// A folder to write files to.
package struct Folder: Sendable {
  package let path: String

  /// Creates the folder and its parents unless they exist.
  package init(made path: String) throws(OutputError) {
    self.path = path
    var parts = path.split(separator: "/", omittingEmptySubsequences: true)
    var tail: [Substring] = []
    // Finds the deepest folder that exists.
    while !parts.isEmpty, !Self.isThere(Self.joined(parts, path)) {
      tail.append(parts.removeLast())
    }
    while let next = tail.popLast() {
      parts.append(next)
      try Self.make(Self.joined(parts, path))
    }
    guard Self.isFolder(path) else {
      throw .refused(path: path, reason: "it is a file, expected a folder")
    }
  }

  /// A folder in this one, created unless it exists.
  package func folder(_ name: String) throws(OutputError) -> Folder {
    try Folder(made: path + "/" + name)
  }

  /// Writes a whole file.
  package func write(_ name: String, _ bytes: [UInt8]) throws(OutputError) {
    let file = try file(name)
    try file.append(bytes)
    try file.close()
  }

  /// Creates or truncates a file.
  package func file(_ name: String) throws(OutputError) -> OutputFile {
    try OutputFile(path: path + "/" + name)
  }

  private static func joined(_ parts: [Substring], _ whole: String) -> String {
    (whole.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func make(_ path: String) throws(OutputError) {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw .refused(path: path, reason: SystemError.last.description)
    }
  }
}
