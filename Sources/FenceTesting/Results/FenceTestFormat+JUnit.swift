internal import Settings
internal import Text
internal import Traces

extension FenceTestFormat {
  /// JUnit's XML, as the services read it: a suite is a file.
  static func junit(_ report: FenceTestReport) -> [String] {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    lines.append("<testsuites \(counts(report.results))>")
    var rest = report.results[...]
    while let file = rest.first?.file {
      let suite = rest.prefix { $0.file == file }
      rest = rest[suite.endIndex...]
      lines.append("  <testsuite name=\"\(escaped(file))\" \(counts(suite))>")
      lines += suite.flatMap(testCase)
      lines.append("  </testsuite>")
    }
    return lines + ["</testsuites>"]
  }

  private static func counts(_ results: some Collection<FenceTestResult>) -> String {
    let failed = results.count { $0.outcome == .failed }
    let errors = results.count { $0.outcome == .error }
    return "tests=\"\(results.count)\" failures=\"\(failed)\" errors=\"\(errors)\""
  }

  private static func testCase(_ result: FenceTestResult) -> [String] {
    let start =
      "    <testcase classname=\"\(escaped(result.file))\" name=\"\(escaped(result.name))\" "
      + "file=\"\(escaped(result.file))\" line=\"\(result.place.line)\""
    if let error = result.error {
      let message = escaped(error.description)
      return [start + ">", "      <error message=\"\(message)\"/>", "    </testcase>"]
    }
    guard let first = result.failures.first else { return [start + "/>"] }
    let text = result.failures.flatMap { failure in
      ["\(failure.place.file):\(failure.place.line): \(failure.message)"]
        + failure.explanation.map { "  \($0)" }
    }
    return [start + ">", "      <failure message=\"\(escaped(first.message))\">"]
      + text.map(escaped) + ["      </failure>", "    </testcase>"]
  }

  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    XMLText.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
