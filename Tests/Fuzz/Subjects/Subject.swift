/// A reader that is given any bytes, and what must hold of what it makes of them.
package struct Subject: Sendable {
  /// Its name, which its corpus has too.
  package let name: String
  /// What it reads, for the table in Docs/Testing.md.
  package let decodes: String
  /// How many times the usual an input may cost: recipes and archives make much of few bytes.
  package var effort = 1.0
  /// Gives it an input, and returns whether it made something of that; throws when a law is broken,
  /// where it does not trap.
  package let check: @Sendable ([UInt8]) throws -> Bool

  /// Every subject.
  package static let all = [
    traces, traceFiles, pipes, configuration, kept, connections, reports, texts, places, scoring,
    engine, watching,
  ].flatMap(\.self)
}

/// A law that an input broke.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless the law holds.
func hold(_ law: String, _ condition: Bool, _ detail: @autoclosure () -> String = "") throws {
  guard condition else {
    let detail = detail()
    throw Violation(description: "violated: \(law)" + (detail.isEmpty ? "" : "\n\(detail)"))
  }
}
