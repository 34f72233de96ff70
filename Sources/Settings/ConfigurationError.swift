/// A place in a config file or in a file that it includes.
package struct ConfigurationPlace: Sendable, Hashable, CustomStringConvertible {
  /// The file's path as the user gave it, or the command-line option.
  package var file: String
  /// Line from 1; 0 when the whole file is meant.
  package var line: Int
  /// Column from 1, in Unicode scalars; 0 when the whole line is meant.
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

/// One error in a config: where it is, what was found and what was expected.
package struct ConfigurationFault: Sendable, Hashable, CustomStringConvertible {
  package var place: ConfigurationPlace
  /// The way to the value, such as `fences[2].radius`, counted from 0; empty for the whole file.
  package var keyPath: String
  /// The text found there.
  package var found: String
  /// What was expected there; empty when `found` is a whole sentence.
  package var expected: String
  /// What the user probably meant; nil when unknown.
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

  package var description: String {
    let path = keyPath.isEmpty ? "" : "\(keyPath): "
    let hint = advice.map { "; \($0)" } ?? ""
    if expected.isEmpty { return "\(place): \(path)\(found)\(hint)" }
    return "\(place): \(path)found \(found), expected \(expected)\(hint)"
  }
}

/// Why a config could not be used: all errors found.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// There is no such config file.
    case notFound
    /// The system did not allow to read it.
    case unreadable
    /// Its contents are wrong.
    case invalid
  }

  /// How many faults ``description`` spells out; the rest it counts.
  package static let shownFaults = 100

  package var kind: Kind
  /// All faults: those of the config file by place, then those of the files that it includes.
  package var faults: [ConfigurationFault]

  package init(_ faults: [ConfigurationFault], kind: Kind = .invalid) {
    self.faults = faults
    self.kind = kind
  }

  /// One line a fault.
  package var description: String {
    var lines = faults.prefix(Self.shownFaults).map(\.description)
    if faults.count > lines.count {
      lines.append("and \(faults.count - lines.count) more faults")
    }
    return lines.joined(separator: "\n")
  }
}
