internal import Text
import Estimation

/// Iterates over the members of one of gpsd's JSON objects, and converts values as gpsd means them.
///
/// null is the same as no value. A value of another kind than requested is an error that names the
/// key and the expected kind; a number in quotes counts as the number.
struct GPSDMembers {
  private var scanner = JSONScanner()
  /// The key of the current member.
  private(set) var key = JSONSlice(range: 0..<0, isEscaped: false)
  /// The same, when it has at most eight bytes.
  private(set) var name = GPSDName.none

  /// Begins the one object of `line`.
  init(of line: Span<UInt8>) throws(JSONError) {
    let token = try scanner.nextValue(in: line)
    guard let token, token == .beginObject else {
      throw JSONError(
        offset: scanner.tokenOffset,
        message: "found \(token?.description ?? "nothing"), expected a JSON object")
    }
  }

  /// Advances to the next member; false at the end of the object, after which nothing may follow in
  /// the line.
  mutating func next(in line: Span<UInt8>) throws(JSONError) -> Bool {
    guard let key = try scanner.nextKey(in: line) else {
      if scanner.depth == 0 { _ = try scanner.next(in: line) }
      return false
    }
    self.key = key
    name = GPSDName(key, in: line)
    return true
  }

  mutating func skip(in line: Span<UInt8>) throws(JSONError) {
    try scanner.skipValue(in: line)
  }

  /// A number; NaN when it is null.
  mutating func number(in line: Span<UInt8>) throws(JSONError) -> Double {
    let token = try scanner.nextValue(in: line)
    switch token {
    case .number(let slice), .string(let slice):
      if let number = slice.number(in: line) { return number }
      throw unfit(line, line.quoted(slice.range), expected: "a number")
    case .null: return .nan
    default: throw unfit(line, token?.description, expected: "a number")
    }
  }

  /// A number; NaN when it is null, or one of the words that stand for an unknown one.
  mutating func number(
    in line: Span<UInt8>, or words: StaticString...
  ) throws(JSONError) -> Double {
    var ahead = self
    if let slice = try? ahead.slice(in: line), words.contains(where: { slice.equals($0, in: line) })
    {
      self = ahead
      return .nan
    }
    return try number(in: line)
  }

  /// A number; nil when it is null.
  mutating func knownNumber(in line: Span<UInt8>) throws(JSONError) -> Double? {
    let number = try number(in: line)
    return number.isNaN ? nil : number
  }

  /// A whole number; nil when it is null.
  mutating func integer(in line: Span<UInt8>) throws(JSONError) -> Int? {
    let number = try number(in: line)
    if number.isNaN { return nil }
    guard let integer = Int(exactly: number) else {
      throw unfit(line, "\(number)", expected: "a whole number")
    }
    return integer
  }

  /// A whole number in a range; nil when it is null.
  mutating func integer(
    in line: Span<UInt8>, within range: ClosedRange<Int>
  ) throws(JSONError) -> Int? {
    guard let integer = try integer(in: line) else { return nil }
    guard range.contains(integer) else {
      throw unfit(
        line, "\(integer)", expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  mutating func flag(in line: Span<UInt8>) throws(JSONError) -> Bool? {
    let token = try scanner.nextValue(in: line)
    switch token {
    case .bool(let flag): return flag
    case .null: return nil
    default: throw unfit(line, token?.description, expected: "true or false")
    }
  }

  mutating func text(in line: Span<UInt8>) throws(JSONError) -> String? {
    try slice(in: line)?.string(in: line)
  }

  /// The path of a receiver.
  mutating func device(in line: Span<UInt8>) throws(JSONError) -> GPSDDeviceKey {
    guard let slice = try slice(in: line) else { return .unnamed }
    if slice.isEscaped { return GPSDDeviceKey(path: slice.string(in: line)) }
    return GPSDDeviceKey(path: line.extracting(slice.range))
  }

  /// The name of a class.
  mutating func className(in line: Span<UInt8>) throws(JSONError) -> GPSDName? {
    try slice(in: line).map { GPSDName($0, in: line) }
  }

  /// An instant: ISO 8601 in quotes, or seconds since 1970 as before gpsd 3.0.
  mutating func time(in line: Span<UInt8>) throws(JSONError) -> Timestamp? {
    let expected = "a time as 2025-03-10T14:02:07.000Z"
    let token = try scanner.nextValue(in: line)
    switch token {
    case .string(let slice), .number(let slice):
      if let time = TimeText.parse(line.extracting(slice.range)) { return time }
      let written = line.extracting(slice.range)
      throw unfit(
        line, line.quoted(slice.range),
        expected: TimeText.expectation(for: written, expected, takesNumbers: true))
    case .null: return nil
    default: throw unfit(line, token?.description, expected: expected)
    }
  }

  /// Whether a time that serves as a flag is set: any value except null, empty or 0.
  mutating func isSet(in line: Span<UInt8>) throws(JSONError) -> Bool {
    let token = try scanner.nextValue(in: line)
    switch token {
    case .string(let slice): return !slice.range.isEmpty
    case .number(let slice): return slice.number(in: line) != 0
    case .null: return false
    default: throw unfit(line, token?.description, expected: "a time")
    }
  }

  /// Iterates over the elements of an array; false for null or a missing array.
  ///
  /// - Parameter object: reads an element completely, with its members opened; an element that is
  ///   not an object is an error.
  @discardableResult
  mutating func forEachObject(
    in line: Span<UInt8>, _ object: (inout GPSDMembers) throws(JSONError) -> Void
  ) throws(JSONError) -> Bool {
    let array = try scanner.nextValue(in: line)
    if array == .null { return false }
    guard let array, array == .beginArray else {
      throw unfit(line, array?.description, expected: "an array")
    }
    let arrayKey = key
    while let element = try scanner.nextValue(in: line) {
      guard element == .beginObject else {
        key = arrayKey
        throw unfit(line, "an array with \(element.description)", expected: "an array of objects")
      }
      try object(&self)
    }
    return true
  }

  private mutating func slice(in line: Span<UInt8>) throws(JSONError) -> JSONSlice? {
    let token = try scanner.nextValue(in: line)
    switch token {
    case .string(let slice): return slice
    case .null: return nil
    default: throw unfit(line, token?.description, expected: "a text")
    }
  }

  private func unfit(
    _ line: Span<UInt8>, _ found: String?, expected: String
  ) -> JSONError {
    JSONError(
      offset: scanner.tokenOffset,
      message: "\(key.string(in: line)) is \(found ?? "missing"), expected \(expected)")
  }
}
