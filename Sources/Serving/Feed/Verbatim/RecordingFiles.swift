internal import Receivers
internal import System
internal import Traces

/// The files of a rotated recording as one, as `replay` reads them.
struct RecordingFiles {
  /// In the order in which they were written.
  let paths: [String]
  /// What is missing between them, for messages.
  let remarks: [String]

  /// Orders files by the parts that their headers name; one file alone needs no header.
  init(_ given: [String]) throws(TraceError) {
    guard given.count > 1 else {
      (paths, remarks) = (given, [])
      return
    }
    var files: [(path: String, part: RecordingPart)] = []
    for path in given {
      let part = try Self.part(of: path)
      guard let part, part.recording == files.first?.part.recording ?? part.recording else {
        let need =
          files.first.map { "this is no part of the recording of \($0.path)" }
          ?? "this names no part of a recording"
        throw .unrecognised(path: path, reason: "\(need), as --verbatim needs for several files")
      }
      files.append((path, part))
    }
    files.sort { $0.part.number < $1.part.number }
    var gaps: [String] = []
    for (last, next) in zip(files, files.dropFirst()) where !next.part.follows(last.part) {
      guard next.part.number > last.part.number else {
        throw .unrecognised(
          path: next.path,
          reason: "this is the same part of the recording as \(last.path); name one of them")
      }
      gaps.append("\(next.path): a part of the recording is missing before it")
    }
    (paths, remarks) = (files.map { $0.path }, gaps)
  }

  /// The part that the first line of a file names.
  private static func part(of path: String) throws(TraceError) -> RecordingPart? {
    // What was read of a pipe could not be read again.
    if WholeFile.isSpecial(path) { return nil }
    guard case .line(let line, _, _)? = try RecordingReader(path: path).next() else { return nil }
    return RecordingPart(top: line)
  }
}
