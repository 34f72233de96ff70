internal import Glibc
internal import Receivers
internal import System

/// Renames a complete recording and creates the next file.
enum RecordingRotator {
  /// Renames the file at `path` for the time of its last report and creates a new one in its place.
  ///
  /// A kill at any moment leaves every line in a file with a proper name. The new file comes first, so a
  /// refusal of it touches no other name; it has its first lines, which say which recording it continues,
  /// before it is renamed. The name of the complete file is reserved, so no file is overwritten.
  ///
  /// - Parameter top: The first lines of the new file.
  static func perform(
    path: String, file: RecordingFile, top: [UInt8], disk: RecordingDisk
  ) throws(RecordingError) -> (new: RecordingFile, old: String) {
    let fresh = path + ".new"
    // Until it is locked it may be the recording of another program.
    let new = try RecordingFile(path: fresh, isEmptied: true, disk: disk)
    var reserved: String?
    do throws(RecordingError) {
      if let fault = new.append(top, head: top.count).fault {
        throw .cannotOpen(path: fresh, fault)
      }
      let old = try reserve(path, time: ReportTime.name(of: file.time))
      reserved = old
      try move(path, to: old)
      try move(fresh, to: path)
      return (new, old)
    } catch {
      // An empty file under the reserved name would look like a recording of that time.
      if let reserved, isEmpty(reserved) { unlink(reserved) }
      unlink(fresh)
      throw error
    }
  }

  /// The new file of a program that was killed in ``perform(path:file:top:disk:)`` after it had renamed the
  /// complete file; nil when there is none.
  static func takeOver(path: String, disk: RecordingDisk) throws(RecordingError) -> RecordingFile? {
    let fresh = path + ".new"
    guard access(path, F_OK) != 0, access(fresh, F_OK) == 0 else { return nil }
    let file: RecordingFile
    do throws(RecordingError) {
      file = try RecordingFile(path: fresh, disk: disk)
    } catch .inUse(let path) {
      throw .inUse(path: path)
    } catch {
      return nil
    }
    // A file with more is a recording of that name, which another program finished.
    guard let part = file.part, part.number > 1, file.hasTopAlone else { return nil }
    try move(fresh, to: path)
    return file
  }

  /// Removes what a program killed in ``perform(path:file:top:disk:)`` left: a next file with no more than
  /// its first lines, and an empty file under the reserved name.
  static func tidy(path: String, file: RecordingFile, part: RecordingPart?) {
    removeNext(path + ".new", after: part)
    guard file.size > 0 else { return }
    for name in names(of: path, time: ReportTime.name(of: file.time)) {
      guard access(name, F_OK) == 0 else { return }
      if isEmpty(name) { unlink(name) }
    }
  }

  /// Removes a file that is empty, or with which a rotation would go on after `part`, unless another program
  /// has it.
  private static func removeNext(_ path: String, after part: RecordingPart?) {
    guard access(path, F_OK) == 0, let file = try? RecordingFile(path: path, disk: .system) else {
      return
    }
    let isNext = part.map { file.part?.follows($0) == true && file.hasTopAlone } ?? false
    // Its lock holds until it is gone.
    withExtendedLifetime(file) { if file.size == 0 || isNext { unlink(path) } }
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
