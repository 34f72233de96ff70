/// A place in a config file or in a file that it includes.
package struct ConfigurationPlace: Sendable, Hashable, CustomStringConvertible {
  /// The file's path as the user gave it, or the command-line option.
  package var file: String
  /// Line, from 1; 0 for the whole file.
  package var line: Int
  /// Column, from 1, in Unicode scalars; 0 for the whole line.
  package var column: Int

  package init(file: String, line: Int = 0, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  package var description: String {
    if line <= 0 { return file }
    return column <= 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
  }
}

/// An error in a config: its place, what was found and what was expected.
package struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
  package var place: ConfigurationPlace
  /// The path of the value, such as `fences[2].radius`, counted from 0; empty for the whole file.
  package var keyPath: String
  /// What was found.
  package var found: String
  /// What was expected; empty when `found` is a whole sentence.
  package var expected: String
  /// A suggestion; nil when there is none.
  package var advice: String?

  package init(
    _ place: ConfigurationPlace, _ keyPath: String = "", found: String, expected: String,
    advice: String? = nil
  ) {
    self.place = place
    self.keyPath = keyPath
    self.found = found
    self.expected = expected
    self.advice = advice
  }

  package var description: String { "\(place): \(sentence)" }

  /// The description without the place.
  package var sentence: String {
    let path = keyPath.isEmpty ? "" : "\(keyPath): "
    let hint = advice.map { "; \($0)" } ?? ""
    if expected.isEmpty { return path + found + hint }
    return "\(path)found \(found), expected \(expected)\(hint)"
  }
}

/// An invalid config, with all its problems.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// There is no such config file.
    case notFound
    /// The system does not allow reading it.
    case unreadable
    /// Its contents are invalid.
    case invalid
  }

  /// How many problems ``description`` lists; the rest are counted.
  package static let shownProblems = 100
  /// After so many problems a config is not read on.
  package static let mostProblems = 1_000

  package var kind: Kind
  /// All problems: those of the config file by place, then those of included files.
  package var problems: [ConfigurationProblem]

  package init(_ problems: [ConfigurationProblem], kind: Kind = .invalid) {
    self.problems = problems
    self.kind = kind
  }

  /// One line for each problem.
  package var description: String {
    var lines = problems.prefix(Self.shownProblems).map(\.description)
    if problems.count >= Self.mostProblems {
      lines.append(
        "and at least \(problems.count - lines.count) more errors; the rest was not checked")
    } else if problems.count > lines.count {
      lines.append("and \(problems.count - lines.count) more errors")
    }
    return lines.joined(separator: "\n")
  }
}
