internal import Geodesy
internal import Text
internal import Yams

/// Scalars, read as text: `id: no` is the text "no", `device: 12` is "12".
extension ConfigurationReader {
  /// The text of a scalar; nil when `node` is not a scalar or is empty.
  static func text(_ node: Node) -> String? {
    guard case .scalar(let scalar) = node, !ConfigurationDocument.isNothing(node) else {
      return nil
    }
    return scalar.string
  }

  /// A non-empty text.
  mutating func name(_ node: Node, _ path: String, expected: String) -> String? {
    if let text = Self.text(node), !text.isEmpty { return text }
    note(node, path, expected: expected)
    return nil
  }

  /// A length in metres, above 0 and up to ``Measure/largestRadius``.
  mutating func length(_ node: Node, _ path: String) -> Double? {
    guard let metres = Self.text(node).flatMap({ Measure.length($0) }) else {
      note(node, path, expected: "a length such as 100 m or 2 km")
      return nil
    }
    guard metres > 0, metres <= Measure.largestRadius else {
      note(node, path, expected: "a length above 0 m and up to 1000 km")
      return nil
    }
    return metres
  }

  private static let timeForm = "a time such as 30 s, 10 min, 2 h or 1 d"

  /// A duration in seconds within `range`, which `limits` describes as in "0 s to 1 d".
  mutating func duration(
    _ node: Node, _ path: String, in range: ClosedRange<Double>, _ limits: String
  ) -> Double? {
    guard let seconds = Self.text(node).flatMap({ Measure.duration($0) }) else {
      note(node, path, expected: Self.timeForm)
      return nil
    }
    guard range.contains(seconds) else {
      note(node, path, expected: "a time from \(limits)")
      return nil
    }
    return seconds
  }

  /// A duration in seconds, above 0 and representable in nanoseconds.
  mutating func duration(_ node: Node, _ path: String) -> Double? {
    guard let seconds = Self.text(node).flatMap({ Measure.duration($0) }) else {
      note(node, path, expected: Self.timeForm)
      return nil
    }
    guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()), nanoseconds > 0 else {
      note(node, path, expected: "a time above 0 s and below 292 years")
      return nil
    }
    return seconds
  }

  /// One of the names of an enumeration.
  mutating func choice<Value>(_ node: Node, _ path: String) -> Value?
  where Value: RawRepresentable<String> & CaseIterable {
    let names = Value.allCases.map(\.rawValue)
    let text = Self.text(node)
    if let value = text.flatMap(Value.init(rawValue:)) { return value }
    note(
      node, path, expected: "one of \(names.joined(separator: ", "))",
      advice: text.flatMap { NearestName.of($0, in: names) }.map { "did you mean '\($0)'?" })
    return nil
  }

  /// A coordinate written as [latitude, longitude].
  mutating func coordinate(_ node: Node, _ path: @autoclosure () -> String) -> Coordinate? {
    let expected = "[latitude, longitude] in degrees such as [52.5163, 13.3777]"
    guard case .sequence(let items) = node, items.count == 2 else {
      let count = node.sequence.map { "a list of \($0.count)" }
      note(node, path(), found: count, expected: expected)
      return nil
    }
    guard mayVisit(2, node) else { return nil }
    guard let latitude = Self.number(items[0]), let longitude = Self.number(items[1]) else {
      let wrong = Self.number(items[0]) == nil ? 0 : 1
      note(items[wrong], "\(path())[\(wrong)]", expected: "a number, as in \(expected)")
      return nil
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    if !coordinate.isValid { noteRange(coordinate, items, path()) }
    return coordinate.isValid ? coordinate : nil
  }

  private mutating func noteRange(
    _ coordinate: Coordinate, _ items: Node.Sequence, _ path: String
  ) {
    guard abs(coordinate.latitude) > 90 else {
      note(
        items[1], "\(path)[1]", found: "the longitude \(Self.words(for: items[1]))",
        expected: "-180 to 180")
      return
    }
    let swapped = Coordinate(latitude: coordinate.longitude, longitude: coordinate.latitude)
    let pair = items.reversed().compactMap { Self.text($0) }.joined(separator: ", ")
    note(
      items[0], "\(path)[0]", found: "the latitude \(Self.words(for: items[0]))",
      expected: "-90 to 90",
      advice: swapped.isValid ? "latitude comes first: did you mean [\(pair)]?" : nil)
  }

  /// A finite decimal number.
  static func number(_ node: Node) -> Double? { text(node).flatMap(decimal) }

  /// The finite decimal number in `text`; nil for hexadecimal numbers and words such as "nan", which
  /// Swift would accept.
  static func decimal(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
