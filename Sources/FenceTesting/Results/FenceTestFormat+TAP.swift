internal import Settings
internal import Text
internal import Traces

extension FenceTestFormat {
  /// The Test Anything Protocol, version 13, the last that `prove` knows.
  ///
  /// The explanation is a block, because the YAML of `prove` has no quoted text with a colon in a list.
  static func tap(_ report: FenceTestReport) -> [String] {
    var lines = ["TAP version 13", "1..\(report.results.count)"]
    for (index, result) in report.results.enumerated() {
      let seeds = result.seedText.map { ", \($0)" } ?? ""
      let name = (result.place.titled(result.name) + seeds).replacing("\\", with: "\\\\")
        .replacing("#", with: "\\#")
      lines.append("\(result.outcome == .passed ? "ok" : "not ok") \(index + 1) - \(name)")
      guard result.outcome != .passed else { continue }
      lines.append("  ---")
      if let error = result.error { lines.append("  error: \(quoted(error.description))") }
      if !result.failures.isEmpty { lines.append("  failures:") }
      for failure in result.failures {
        lines.append("    - line: \(failure.place.line)")
        lines.append("      message: \(quoted(failure.message))")
        guard !failure.explanation.isEmpty else { continue }
        lines.append("      explanation: |")
        lines += failure.explanation.map { "        \($0.withoutControls)" }
      }
      lines.append("  ...")
    }
    if let coverage = report.coverage {
      lines += coverage.lines.map { "# \($0)" }
    }
    return lines
  }

  /// A text as YAML and JSON write it.
  private static func quoted(_ text: String) -> String {
    var json = JSONBuilder()
    json.element(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
