internal import Settings
internal import Text

/// The values of failed expectations, rewritten to what was reported.
package struct FenceTestUpdate {
  /// The new content of a file, and the lines that change.
  package struct File {
    package var path: String
    package var bytes: [UInt8]
    /// As in a unified diff, with the place of each line.
    package var diff: [String]
  }

  package private(set) var files: [File] = []

  /// Takes out of a report the failures that other values mend.
  package init(of files: [FenceTestFile], mending report: inout FenceTestReport) {
    for file in files {
      let edits = report.results.lazy.filter { $0.file == file.path }
        .flatMap(\.failures).flatMap(\.edits)
      let (bytes, made) = ConfigurationEdit.apply(edits, to: file.bytes)
      guard !made.isEmpty else { continue }
      report.mend(file.path, by: made)
      self.files.append(
        File(path: file.path, bytes: bytes, diff: Self.diff(file, bytes, made)))
    }
  }

  private static func diff(
    _ file: FenceTestFile, _ bytes: [UInt8], _ made: Set<ConfigurationEdit>
  ) -> [String] {
    // An edit never adds or removes a line.
    let (old, new) = (lines(file.bytes), lines(bytes))
    return Set(made.map(\.scalar.place.line)).sorted().flatMap { line in
      ["\(file.path):\(line)", "-\(old[line - 1])", "+\(new[line - 1])"]
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

extension FenceTestReport {
  fileprivate mutating func mend(_ path: String, by made: Set<ConfigurationEdit>) {
    for index in results.indices where results[index].file == path {
      results[index].failures.removeAll {
        !$0.edits.isEmpty && made.isSuperset(of: $0.edits)
      }
    }
  }
}
