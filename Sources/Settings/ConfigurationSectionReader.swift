internal import Yams

/// Reads the values of a ``ConfigurationSection``; notes every error at its line and column.
package struct ConfigurationSectionReader {
  private(set) var reader: ConfigurationReader
  private let keys: ConfigurationKeys

  init(_ reader: ConfigurationReader, _ keys: ConfigurationKeys) {
    self.reader = reader
    self.keys = keys
  }

  /// Whether a key is in the section, with or without a valid value.
  package func has(_ key: String) -> Bool { keys.has(key) }

  /// A non-empty text.
  package mutating func text(_ key: String, expected: String) -> String? {
    keys[key].flatMap { reader.name($0, keys.path(key), expected: expected) }
  }

  /// A path, relative to the folder of the config.
  package mutating func path(_ key: String, expected: String) -> String? {
    text(key, expected: expected).map { ConfigurationFile.resolve($0, besides: reader.file) }
  }

  /// A length in metres, above 0 and up to 1,000,000.
  package mutating func length(_ key: String) -> Double? {
    keys[key].flatMap { reader.length($0, keys.path(key)) }
  }

  /// A duration in seconds, above 0.
  package mutating func duration(_ key: String) -> Double? {
    keys[key].flatMap { reader.duration($0, keys.path(key)) }
  }

  /// `true` or `false`.
  package mutating func flag(_ key: String) -> Bool? {
    guard let node = keys[key] else { return nil }
    switch ConfigurationReader.text(node) {
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    default:
      reader.note(node, keys.path(key), expected: "true or false")
      return nil
    }
  }

  /// One of the names of an enumeration, or a list of them, each once.
  package mutating func choices<Choice>(_ key: String) -> [Choice]?
  where Choice: RawRepresentable<String> & CaseIterable & Equatable {
    guard let node = keys[key] else { return nil }
    guard case .sequence(let items) = node else {
      let choice: Choice? = reader.choice(node, keys.path(key))
      return choice.map { [$0] }
    }
    var choices: [Choice] = []
    for (index, item) in items.enumerated() {
      let path = "\(keys.path(key))[\(index)]"
      guard let choice: Choice = reader.choice(item, path) else { return nil }
      guard !choices.contains(choice) else {
        reader.note(
          item, path, found: "'\(choice.rawValue)' twice", expected: "each \(key) once")
        return nil
      }
      choices.append(choice)
    }
    return choices
  }

  /// Notes an error of the section.
  /// - Parameters:
  ///   - found: What is there, or a whole sentence if `expected` is empty.
  ///   - expected: What could be there.
  package mutating func note(found: String, expected: String = "") {
    reader.note(keys.node, keys.path, found: found, expected: expected)
  }

  /// Notes an error of a value.
  package mutating func note(valueOf key: String, found: String, expected: String = "") {
    reader.note(keys[key] ?? keys.node, keys.path(key), found: found, expected: expected)
  }

  /// Notes an error of a key.
  package mutating func note(key: String, found: String, expected: String = "") {
    reader.note(keys.pairs[key]?.key ?? keys.node, keys.path(key), found: found, expected: expected)
  }
}
