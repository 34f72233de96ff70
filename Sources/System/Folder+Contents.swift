internal import Glibc

extension Folder {
  /// The names in a folder in alphabetical order, without `.` and `..`.
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
    return names.sorted()
  }
}
