internal import Glibc

/// Gives a complete recording its own name and begins the next one.
enum RecordingShift {
  /// Renames the file at `path` for the time of its last report and makes a new one in its place.
  ///
  /// A kill at any moment leaves every line in a file with a name that tells what it is; the name
  /// of the complete file is reserved first, so that no file is overwritten.
  static func perform(
    path: String, file: RecordingFile, disk: RecordingDisk
  ) throws(RecordingError) -> (new: RecordingFile, old: String) {
    let old = try reserve(path, time: RecordingTime.name(of: file.time))
    let fresh = path + ".new"
    do {
      let new = try RecordingFile(path: fresh, isEmptied: true, disk: disk)
      try move(path, to: old)
      try move(fresh, to: path)
      return (new, old)
    } catch {
      // An empty file under the reserved name would say that there is a recording of that time.
      if isEmpty(old) { unlink(old) }
      unlink(fresh)
      throw error
    }
  }

  /// Makes an empty file with the first free name.
  private static func reserve(_ path: String, time: String) throws(RecordingError) -> String {
    var number = 1
    while true {
      let name = Self.name(of: path, time: number == 1 ? time : "\(time)-\(number)")
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        close(descriptor)
        return name
      }
      guard errno == EEXIST else { throw .cannotRename(path: name, .last) }
      number += 1
    }
  }

  /// `trip-TIME.jsonl` of `trip.jsonl`.
  static func name(of path: String, time: String) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    // A dot in front makes a hidden file, not an ending.
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
