internal import Session
internal import Tracking
internal import Yams

/// Reads the values of a ``ConfigurationSection``; notes every error at its line and column.
package struct ConfigurationSectionReader {
  var reader: ConfigurationReader
  private let keys: ConfigurationKeys
  private let known: [String]

  init(_ reader: ConfigurationReader, _ keys: ConfigurationKeys, known: [String]) {
    self.reader = reader
    self.keys = keys
    self.known = known
  }

  /// The items of a section that is a list of mappings, each read by `read`.
  ///
  /// An invalid item is noted and left out.
  package mutating func items<Item>(
    expected: String, _ read: (inout ConfigurationSectionReader) -> Item?
  ) -> [Item] {
    reader.items(keys.node, keys.path, known: known, expected: expected, read)
  }

  /// A text, or a list of texts, none empty.
  package mutating func texts(_ key: String, expected: String) -> [String]? {
    guard let node = keys[key] else { return nil }
    guard case .sequence = node else {
      return reader.name(node, keys.path(key), expected: expected).map { [$0] }
    }
    let path = keys.path(key)
    guard let nodes = reader.list(node, path, expected: expected) else { return nil }
    let texts = nodes.enumerated().compactMap {
      reader.name($1, "\(path)[\($0)]", expected: expected)
    }
    return texts.count == nodes.count ? texts : nil
  }

  /// A mapping of texts, in the order of the file.
  package mutating func pairs(_ key: String, expected: String) -> [(name: String, value: String)]? {
    guard let node = keys[key] else { return nil }
    let path = keys.path(key)
    guard case .mapping(let mapping) = node, reader.mayVisit(mapping.count, node) else {
      reader.note(node, path, expected: expected)
      return nil
    }
    var pairs: [(name: String, value: String)] = []
    for (name, value) in mapping {
      guard let name = reader.name(name, path, expected: expected),
        let value = reader.name(value, "\(path).\(name)", expected: expected)
      else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }

  /// The value of a key; nil when it is missing.
  subscript(key: String) -> Node? { keys[key] }

  /// The path of a key.
  func path(_ key: String) -> String { keys.path(key) }

  /// The place of the mapping.
  package var place: ConfigurationPlace { reader.place(keys.node) }

  /// Resolves a path against the folder of the config.
  package func resolve(_ path: String) -> String {
    ConfigurationFile.resolve(path, besides: reader.file)
  }

  /// Whether the config has a valid section that is read before this one.
  package func hasSection(_ key: String) -> Bool { reader.configuration.sections[key] != nil }

  /// The ids of the fences that the config lists itself or includes as text.
  package var fences: Set<String> {
    Set(reader.configuration.entries.map(\.fence.id))
      .union(reader.configuration.anchors.map(\.fence.id))
  }

  /// Whether the config has compiled fences too, whose ids are not listed.
  package var hasCompiledFences: Bool { !reader.configuration.compiled.isEmpty }

  /// Whether a key is in the section, with or without a valid value.
  package func has(_ key: String) -> Bool { keys.has(key) }

  /// Whether the value of a key is a list without items.
  package func isEmptyList(_ key: String) -> Bool {
    if case .sequence(let items)? = keys[key] { items.isEmpty } else { false }
  }

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

  /// One of the names of an enumeration, or a list of them, each once: of at least one, unless none are
  /// allowed.
  package mutating func choices<Choice>(_ key: String, allowsNone: Bool = false) -> [Choice]?
  where Choice: RawRepresentable<String> & CaseIterable & Equatable {
    guard let node = keys[key] else { return nil }
    guard case .sequence(let items) = node else {
      let choice: Choice? = reader.choice(node, keys.path(key))
      return choice.map { [$0] }
    }
    guard allowsNone || !items.isEmpty else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      reader.note(node, keys.path(key), expected: "at least one of \(names)")
      return nil
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
