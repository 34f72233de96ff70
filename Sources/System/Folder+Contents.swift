internal import Glibc

extension Folder {
  /// The names in a folder in the order of their bytes, without `.` and `..`.
  package static func names(in path: String) throws(WholeFile.Failure) -> [String] {
    guard let folder = opendir(path) else { throw WholeFile.Failure(code: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    // Two names may be equal as strings, and the folder has them in any order.
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
