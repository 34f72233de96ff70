internal import Glibc

/// A folder to write files to.
package struct Folder: Sendable {
  package let path: String

  /// Makes the folder and its parent folders, if they are missing.
  package init(made path: String) throws(OutputError) {
    self.path = path
    do throws(CreationFailure) {
      try Self.create(path, mode: 0o777)
    } catch {
      throw .refused(
        path: error.path,
        reason: error.cause.code == ENOTDIR
          ? "it is a file, expected a folder" : error.cause.reason)
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

  /// Why a folder was not created.
  package struct CreationFailure: Error, Hashable, Sendable {
    /// The folder, or the parent folder, that could not be created.
    package let path: String
    /// `ENOTDIR` when a file has that path.
    package let cause: WholeFile.Failure
  }

  /// Creates a folder and its parent folders, if they are missing.
  ///
  /// - Parameter mode: The mode of each new folder, before the umask.
  package static func create(_ path: String, mode: UInt32) throws(CreationFailure) {
    if exists(path) { return }
    if let end = path.lastIndex(of: "/"), end > path.startIndex {
      try create(String(path[..<end]), mode: mode)
    }
    guard mkdir(path, mode) != 0, !(errno == EEXIST && exists(path)) else { return }
    throw CreationFailure(
      path: path, cause: WholeFile.Failure(code: errno == EEXIST ? ENOTDIR : errno))
  }

  /// Whether a folder has this path.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The name of a folder, also of one whose path does not end with it: `.`, `..` and `/`.
  package static func name(of path: String) -> String {
    func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
    let name = last(path)
    guard ["", ".", ".."].contains(name), let real = realpath(path, nil) else { return name }
    defer { free(real) }
    return last(String(cString: real))
  }

  /// The folder of a file.
  package static func parent(of file: String) -> String {
    guard let end = file.lastIndex(of: "/") else { return "." }
    return end == file.startIndex ? "/" : String(file[..<end])
  }
}
