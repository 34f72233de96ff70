import CZlib
import Glibc

/// A file that could not be written.
struct WriteFailure: Error, CustomStringConvertible {
  var path: String
  var reason: String
  var description: String { "cannot write \(path): \(reason)" }

  init(path: String) {
    self.path = path
    reason = String(cString: strerror(errno))
  }
}

enum StoryFiles {
  /// Writes every story to its folder in `directory`; creates folders, leaves other files alone.
  static func write(_ stories: [Story], to directory: String) throws(WriteFailure) {
    try makeDirectory(directory)
    for story in stories {
      let folder = "\(directory)/\(story.name)"
      try makeDirectory(folder)
      for file in story.files { try write(file.text, to: "\(folder)/\(file.name)") }
    }
    try write(index(of: stories), to: "\(directory)/README.md")
  }

  /// The README of the folder of all stories.
  static func index(of stories: [Story]) -> String {
    """
    # Stories

    Tracks with known truth, one folder each: a recorded file, a `waymark.yaml` with \
    fences, `truth.csv` with the true crossings, and a README. All of them are simulated; \
    `swift run make-stories traces` writes them, the same bytes each time. Written by hand are \
    the fence tests, `waymark-test.yaml`. Licence: CC0 1.0.

    | story | what it is |
    | --- | --- |
    \(stories.map { "| [\($0.name)](\($0.name)) | \($0.title) |" }.joined(separator: "\n"))

    """
  }

  private static func makeDirectory(_ path: String) throws(WriteFailure) {
    if mkdir(path, 0o777) != 0, errno != EEXIST { throw WriteFailure(path: path) }
  }

  private static func write(_ text: String, to path: String) throws(WriteFailure) {
    // zlib's gzopen writes no name and no time, so the same text gives the same bytes; in mode T
    // it writes plain text.
    guard let file = gzopen(path, path.hasSuffix(".gz") ? "wb9" : "wbT") else {
      throw WriteFailure(path: path)
    }
    let bytes = Array(text.utf8)
    // The array passes the pointer with its length, valid for the call.
    let written = bytes.withUnsafeBytes { gzwrite(file, $0.baseAddress, UInt32($0.count)) }
    guard gzclose(file) == Z_OK, written == bytes.count else { throw WriteFailure(path: path) }
  }
}
