internal import Glibc
internal import System

/// Renames a complete recording and creates the next file.
enum RecordingRotator {
  /// Renames the file at `path` for the time of its last report and creates a new one in its place.
  ///
  /// A kill at any moment leaves every line in a file with a proper name. The name of the complete file
  /// is reserved first, so no file is overwritten.
  static func perform(
    path: String, file: RecordingFile, disk: RecordingDisk
  ) throws(RecordingError) -> (new: RecordingFile, old: String) {
    let old = try reserve(path, time: ReportTime.name(of: file.time))
    let fresh = path + ".new"
    do {
      let new = try RecordingFile(path: fresh, isEmptied: true, disk: disk)
      try move(path, to: old)
      try move(fresh, to: path)
      return (new, old)
    } catch {
      // An empty file under the reserved name would look like a recording of that time.
      if isEmpty(old) { unlink(old) }
      unlink(fresh)
      throw error
    }
  }

  /// Removes what a program killed in ``perform(path:file:disk:)`` left: an empty next file, and an empty
  /// file under the reserved name.
  static func tidy(path: String, file: RecordingFile) {
    if isEmpty(path + ".new") { unlink(path + ".new") }
    guard file.size > 0 else { return }
    for name in names(of: path, time: ReportTime.name(of: file.time)) {
      guard access(name, F_OK) == 0 else { return }
      if isEmpty(name) { unlink(name) }
    }
  }

  /// Names for a complete file, the simplest first.
  private static func names(of path: String, time: String) -> some Sequence<String> {
    (1...).lazy.map { name(of: path, time: $0 == 1 ? time : "\(time)-\($0)") }
  }

  /// Creates an empty file with the first free name.
  private static func reserve(_ path: String, time: String) throws(RecordingError) -> String {
    for name in names(of: path, time: time) {
      let descriptor = retried { open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
      if descriptor >= 0 {
        close(descriptor)
        return name
      }
      guard errno == EEXIST else { throw .cannotRename(path: name, .last) }
    }
    // Not reached: the names are endless.
    throw .cannotRename(path: path, SystemError(code: EEXIST))
  }

  /// `trip-TIME.jsonl` of `trip.jsonl`.
  static func name(of path: String, time: String) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    // A leading dot marks a hidden file, not an extension.
    guard let dot = path[start...].lastIndex(of: "."), dot > start else { return "\(path)-\(time)" }
    return "\(path[..<dot])-\(time)\(path[dot...])"
  }

  private static func move(_ path: String, to other: String) throws(RecordingError) {
    guard rename(path, other) == 0 else { throw .cannotRename(path: other, .last) }
  }

  private static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }
}
