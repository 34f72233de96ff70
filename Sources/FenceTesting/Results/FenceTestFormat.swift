internal import Settings
internal import Text
internal import Traces

/// How results are written.
package enum FenceTestFormat: String, Sendable, CaseIterable {
  case text, json, tap, junit, github

  /// The lines of a report.
  package func lines(_ report: FenceTestReport) -> [String] {
    switch self {
    case .text: Self.text(report)
    case .json: Self.json(report)
    case .tap: Self.tap(report)
    case .junit: Self.junit(report)
    case .github: Self.github(report)
    }
  }

  // MARK: For people

  private static func text(_ report: FenceTestReport) -> [String] {
    var lines = report.results.flatMap { result -> [String] in
      var lines = result.seedText.map { ["\(result.place.line(result.name)): \($0)"] } ?? []
      if let error = result.error {
        lines.append("ERROR \(result.place.line(result.name)): \(error)")
      }
      for failure in result.failures {
        lines.append("FAIL \(failure.place.line(result.name)): \(failure.message)")
        lines += failure.explanation.map { "  \($0)" }
      }
      return lines
    }
    if let coverage = report.coverage {
      lines += coverage.gaps.map { "\($0.place): \($0.text)" } + [coverage.summary]
    }
    return lines
  }

  // MARK: For programs

  private static func json(_ report: FenceTestReport) -> [String] {
    var json = JSONBuilder()
    json.object { json in
      json.array("tests", report.results) { json, result in
        json.object { json in put(result, into: &json) }
      }
      json.number("passed", report.passed)
      json.number("failed", report.failed)
      json.number("errors", report.errors)
      if let coverage = report.coverage {
        json.object("coverage") { json in put(coverage, into: &json) }
      }
    }
    return [String(decoding: json.bytes, as: UTF8.self)]
  }

  private static func put(_ result: FenceTestResult, into json: inout JSONBuilder) {
    json.text("file", result.file)
    json.number("line", result.place.line)
    json.text("name", result.name)
    json.text("result", result.outcome.rawValue)
    if result.seedText != nil {
      json.number("seeds", result.seeds)
      json.number("passedSeeds", result.passedSeeds)
    }
    if let error = result.error { json.text("error", error.description) }
    json.array("failures", result.failures) { json, failure in
      json.object { json in
        json.number("line", failure.place.line)
        json.text("message", failure.message)
        json.array("explanation", failure.explanation) { json, line in json.element(line) }
      }
    }
  }

  private static func put(_ coverage: FenceCoverage, into json: inout JSONBuilder) {
    json.number("fences", coverage.fences)
    json.number("crossedFences", coverage.crossedFences)
    json.number("edges", coverage.edges)
    json.number("crossedEdges", coverage.crossedEdges)
    json.array("missing", coverage.gaps) { json, gap in
      json.object { json in
        json.text("place", gap.place.description)
        json.text("text", gap.text)
      }
    }
  }

  /// The Test Anything Protocol, version 14.
  private static func tap(_ report: FenceTestReport) -> [String] {
    var lines = ["TAP version 14", "1..\(report.results.count)"]
    for (index, result) in report.results.enumerated() {
      let seeds = result.seedText.map { ", \($0)" } ?? ""
      let name = (result.place.line(result.name) + seeds).replacing("\\", with: "\\\\")
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
        lines.append("      explanation:")
        lines += failure.explanation.map { "        - \(quoted($0))" }
      }
      lines.append("  ...")
    }
    if let coverage = report.coverage {
      lines += coverage.gaps.map { "# \($0.place): \($0.text)" } + ["# \(coverage.summary)"]
    }
    return lines
  }

  /// A text as YAML and JSON write it.
  private static func quoted(_ text: String) -> String {
    var json = JSONBuilder()
    json.element(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  // MARK: For services

  /// JUnit's XML, as the services read it: a suite is a file.
  private static func junit(_ report: FenceTestReport) -> [String] {
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

  /// Commands of GitHub's workflows, which annotate the lines of a file.
  private static func github(_ report: FenceTestReport) -> [String] {
    var lines: [String] = []
    for result in report.results {
      if let error = result.error {
        lines.append(annotation("error", result.place, result.name, error.description))
      }
      for failure in result.failures {
        let text = ([failure.message] + failure.explanation).joined(separator: "\n")
        lines.append(annotation("error", failure.place, result.name, text))
      }
    }
    if let coverage = report.coverage {
      lines += coverage.gaps.map { annotation("notice", $0.place, "coverage", $0.text) }
    }
    return lines
  }

  private static func annotation(
    _ kind: String, _ place: ConfigurationPlace, _ title: String, _ text: String
  ) -> String {
    let (file, title) = (property(place.file), property(title))
    return "::\(kind) file=\(file),line=\(max(place.line, 1)),title=\(title)::\(data(text))"
  }

  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

extension ConfigurationPlace {
  /// `waymark-test.yaml:9 a day at the office`.
  fileprivate func line(_ name: String) -> String { "\(file):\(line) \(name)" }
}
