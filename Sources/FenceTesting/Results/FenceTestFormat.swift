internal import Settings
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

  private static func text(_ report: FenceTestReport) -> [String] {
    var lines = report.results.flatMap { result -> [String] in
      var lines = result.seedText.map { ["\(result.place.titled(result.name)): \($0)"] } ?? []
      if let error = result.error {
        lines.append("ERROR \(result.place.titled(result.name)): \(error)")
      }
      for failure in result.failures {
        lines.append("FAIL \(failure.place.titled(result.name)): \(failure.message)")
        lines += failure.explanation.map { "  \($0)" }
      }
      return lines
    }
    if let coverage = report.coverage { lines += coverage.lines }
    return lines
  }
}

extension ConfigurationPlace {
  /// `waymark-test.yaml:9 a day at the office`.
  func titled(_ name: String) -> String { "\(file):\(line) \(name)" }
}
