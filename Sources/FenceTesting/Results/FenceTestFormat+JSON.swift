internal import Settings
internal import Text
internal import Traces

extension FenceTestFormat {
  /// One document with all tests.
  static func json(_ report: FenceTestReport) -> [String] {
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
      if let seed = result.failedSeed { json.text("failedSeed", String(seed)) }
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
}
