internal import Glibc
internal import System

/// Folders and files that only their owner can use.
enum PrivateFolder {
  /// Creates the folder of a file and its parent folders, if they are missing.
  static func make(around file: String) throws(WholeFile.Failure) {
    guard let end = file.lastIndex(of: "/"), end > file.startIndex else { return }
    try make(String(file[..<end]))
  }

  /// The folder of a file.
  static func path(around file: String) -> String {
    guard let end = file.lastIndex(of: "/") else { return "." }
    return end == file.startIndex ? "/" : String(file[..<end])
  }

  /// Creates a folder and its parent folders, if they are missing.
  static func make(_ path: String) throws(WholeFile.Failure) {
    if isFolder(path) { return }
    try make(around: path)
    guard mkdir(path, 0o700) != 0, !(errno == EEXIST && isFolder(path)) else { return }
    // EEXIST: a file has this path.
    throw WholeFile.Failure(code: errno == EEXIST ? ENOTDIR : errno)
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The mode of a file, as chmod(1) has it; nil when there is no such file.
  static func mode(of path: String) throws(WholeFile.Failure) -> UInt32? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw WholeFile.Failure(code: errno)
    }
    return status.st_mode & 0o7777
  }
}
