internal import Glibc

/// The space that is left on a disk.
package enum FreeSpace {
  /// The bytes that this user may still write to the file system of a path.
  package static func bytes(at path: String) throws(WholeFile.Failure) -> Int {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { throw WholeFile.Failure(code: errno) }
    let (bytes, overflow) = Int(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }
}
