package import Geodesy
internal import Text
package import Tracking
internal import Yams

/// Mappings in mappings, and files of other kinds in the syntax of the config.
extension ConfigurationSectionReader {
  /// Reads a file that is one mapping with these keys.
  ///
  /// - Parameter expected: What the file should hold, for messages.
  /// - Throws: All errors of the file at once.
  package static func read<Value>(
    _ bytes: [UInt8], file: String, keys known: [String], expected: String,
    _ read: (inout ConfigurationSectionReader) -> Value?
  ) throws(ConfigurationError) -> Value? {
    let root = try ConfigurationDocument.read(bytes, file: file, expected: expected)
    var reader = ConfigurationReader(file: file, size: bytes.count, load: ConfigurationFile.read)
    let value = reader.mapping(root, "", known: known, expected: expected, read)
    guard reader.problems.isEmpty else { throw ConfigurationError(reader.sortedProblems) }
    return value
  }

  /// The bytes of such a file.
  package static func contents(
    of path: String, expected: String
  ) throws(ConfigurationError) -> [UInt8] {
    try ConfigurationFile.contents(of: path, expected: expected)
  }

  /// The mapping that is the value of a key.
  package mutating func mapping<Value>(
    _ key: String, keys known: [String], expected: String,
    _ read: (inout ConfigurationSectionReader) -> Value?
  ) -> Value? {
    guard let node = self[key] else { return nil }
    return reader.mapping(node, path(key), known: known, expected: expected, read)
  }

  /// The list of mappings that is the value of a key; an invalid item is noted and left out.
  package mutating func items<Item>(
    _ key: String, keys known: [String], expected: String,
    _ read: (inout ConfigurationSectionReader) -> Item?
  ) -> [Item] {
    guard let node = self[key] else { return [] }
    return reader.items(node, path(key), known: known, expected: expected, read)
  }

  /// The list of positions and of mappings with these keys that is the value of a key.
  package mutating func positions<Item>(
    _ key: String, orKeys known: [String], expected: String,
    position: (Coordinate) -> Item, _ read: (inout ConfigurationSectionReader) -> Item?
  ) -> [Item]? {
    guard let node = self[key] else { return nil }
    let path = path(key)
    guard let nodes = reader.list(node, path, expected: expected) else { return nil }
    let items = nodes.enumerated().compactMap { index, node -> Item? in
      let path = "\(path)[\(index)]"
      guard case .mapping = node else { return reader.coordinate(node, path).map(position) }
      return reader.mapping(node, path, known: known, expected: expected, read)
    }
    return items.count == nodes.count ? items : nil
  }

  /// A position, or the text that stands in its place.
  package mutating func positionOrText(_ key: String, expected: String) -> (Coordinate?, String?) {
    guard let node = self[key] else { return (nil, nil) }
    let path = path(key)
    if case .sequence = node { return (reader.coordinate(node, path), nil) }
    return (nil, reader.name(node, path, expected: expected))
  }

  /// A time in RFC 3339.
  package mutating func time(_ key: String) -> Timestamp? {
    self[key].flatMap { reader.time($0, path(key)) }
  }

  /// A list of two times, the second not before the first.
  package mutating func times(_ key: String) -> ClosedRange<Timestamp>? {
    guard let node = self[key] else { return nil }
    let (path, expected) = (path(key), "two times, the first not after the second")
    guard let nodes = reader.list(node, path, expected: expected) else { return nil }
    let times = nodes.enumerated().compactMap { reader.time($1, "\(path)[\($0)]") }
    guard times.count == nodes.count else { return nil }
    guard times.count == 2, times[0] <= times[1] else {
      reader.note(
        node, path,
        found: times.count == 2 ? "an end before its start" : "a list of \(times.count)",
        expected: expected)
      return nil
    }
    return times[0]...times[1]
  }

  /// A duration of 0 s or more, in seconds.
  package mutating func durationOrZero(_ key: String) -> Double? {
    self[key].flatMap {
      reader.duration($0, path(key), in: 0...ConfigurationReader.longestMemory, "0 s to 100 years")
    }
  }

  /// A speed above 0, metres a second.
  package mutating func speed(_ key: String) -> Double? {
    guard let node = self[key] else { return nil }
    let speed = ConfigurationReader.text(node).flatMap { Measure.speed($0) }
    if let speed, speed > 0 { return speed }
    reader.note(node, path(key), expected: "a speed above 0 such as 50 km/h or 1.4 m/s")
    return nil
  }

  /// A number in a range, which `expected` describes.
  package mutating func number(
    _ key: String, in range: ClosedRange<Double>, expected: String
  ) -> Double? {
    guard let node = self[key] else { return nil }
    if let number = ConfigurationReader.number(node), range.contains(number) { return number }
    reader.note(node, path(key), expected: expected)
    return nil
  }

  /// A whole number from 0 on.
  package mutating func wholeNumber(_ key: String) -> UInt64? {
    guard let node = self[key] else { return nil }
    if let number = ConfigurationReader.text(node).flatMap({ UInt64($0) }) { return number }
    reader.note(node, path(key), expected: "a whole number from 0 on")
    return nil
  }

  /// One of the names of an enumeration.
  package mutating func choice<Choice>(_ key: String) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    self[key].flatMap { reader.choice($0, path(key)) }
  }

  /// The scalar that is the value of a key, as it is written.
  package func scalar(_ key: String) -> ConfigurationScalar? {
    guard let node = self[key], let text = ConfigurationReader.text(node) else { return nil }
    return ConfigurationScalar(place: reader.place(node), text: text)
  }
}

extension ConfigurationReader {
  mutating func mapping<Value>(
    _ node: Node, _ path: String, known: [String], expected: String,
    _ read: (inout ConfigurationSectionReader) -> Value?
  ) -> Value? {
    guard let keys = keys(node, path, known: known, expected: expected) else { return nil }
    var inner = ConfigurationSectionReader(self, keys, known: known)
    let value = read(&inner)
    self = inner.reader
    return value
  }

  /// The mappings in a list, each read by `read`; an invalid one is noted and left out.
  mutating func items<Item>(
    _ node: Node, _ path: String, known: [String], expected: String,
    _ read: (inout ConfigurationSectionReader) -> Item?
  ) -> [Item] {
    guard let nodes = list(node, path, expected: expected) else { return [] }
    return nodes.enumerated().compactMap {
      mapping($1, "\(path)[\($0)]", known: known, expected: expected, read)
    }
  }

  fileprivate mutating func time(_ node: Node, _ path: String) -> Timestamp? {
    if let text = Self.text(node), let time = RFC3339.parse(Array(text.utf8).span) { return time }
    note(node, path, expected: "a time such as 2026-05-04T06:00:00Z")
    return nil
  }
}
