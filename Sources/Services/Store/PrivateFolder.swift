internal import Glibc
internal import System

/// Folders that are their owner's alone.
enum PrivateFolder {
  /// Makes the folder of a file, and those around it, unless they are there.
  static func make(around file: String) throws(WholeFile.Failure) {
    guard let end = file.lastIndex(of: "/"), end > file.startIndex else { return }
    try make(String(file[..<end]))
  }

  /// The folder of a file.
  static func path(around file: String) -> String {
    guard let end = file.lastIndex(of: "/") else { return "." }
    return end == file.startIndex ? "/" : String(file[..<end])
  }

  /// Makes a folder, and those around it, unless they are there.
  static func make(_ path: String) throws(WholeFile.Failure) {
    if isFolder(path) { return }
    try make(around: path)
    guard mkdir(path, 0o700) != 0, !(errno == EEXIST && isFolder(path)) else { return }
    // A file in its place is there, but is no folder.
    throw WholeFile.Failure(code: errno == EEXIST ? ENOTDIR : errno)
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Who may do what with a file, as chmod(1) writes it; nil when there is none.
  static func mode(of path: String) throws(WholeFile.Failure) -> UInt32? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw WholeFile.Failure(code: errno)
    }
    return status.st_mode & 0o7777
  }
}
