internal import Settings
internal import Traces

extension FenceTestFormat {
  /// Commands of GitHub's workflows, which annotate the lines of a file.
  static func github(_ report: FenceTestReport) -> [String] {
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
