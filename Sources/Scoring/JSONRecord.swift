internal import Text
package import Tracking

/// An invalid record in a file that is read for scoring.
package struct RecordError: Error, Sendable, Hashable, CustomStringConvertible {
  package let file: String
  /// From 1.
  package let line: Int
  /// What was found and what was expected: one sentence, no full stop.
  package let message: String

  package init(file: String, line: Int, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  package var description: String { "\(file):\(line): \(message)" }
}

/// One JSON object of a file: its members, without arrays and objects.
package struct JSONRecord: Sendable {
  enum Value: Sendable, Hashable {
    /// The digits as written.
    case number(String)
    case text(String)
    case flag(Bool)
  }

  private let file: String
  package let line: Int
  private var members: [String: Value] = [:]

  /// The objects of a file in JSON Lines; blank lines and a byte order mark are skipped.
  package static func lines(of bytes: [UInt8], file: String) throws(RecordError) -> [JSONRecord] {
    var records: [JSONRecord] = []
    var (start, line) = (bytes.span.beginsWithByteOrderMark ? 3 : 0, 1)
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      // A copy of one line, so that the scanner ends with it.
      let text = Array(bytes[start..<end])
      if let record = try JSONRecord(text, line: line, of: file) { records.append(record) }
      (start, line) = (end + 1, line + 1)
    }
    return records
  }

  /// Reads the object on a line; nil when the line is blank.
  package init?(_ text: [UInt8], line: Int, of file: String) throws(RecordError) {
    if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
    self.init(file: file, line: line)
    do throws(JSONError) {
      var scanner = JSONScanner()
      try read(text.span, &scanner)
      if try scanner.next(in: text.span) != nil { throw JSONError.noObject }
    } catch {
      throw RecordError(file: file, line: line, message: error.message)
    }
  }

  /// The objects of a file that contains an array of them.
  static func array(of bytes: [UInt8], file: String) throws(RecordError) -> [JSONRecord] {
    var records: [JSONRecord] = []
    var scanner = JSONScanner()
    do throws(JSONError) {
      guard try scanner.next(in: bytes.span) == .beginArray else { throw JSONError.noArray }
      while try scanner.peeksObject(in: bytes.span) {
        let line = JSONPosition(of: scanner.offset, in: bytes.span).line
        var record = JSONRecord(file: file, line: line)
        try record.readMembers(bytes.span, &scanner)
        records.append(record)
      }
      while try scanner.next(in: bytes.span) != nil {}
    } catch {
      let line = JSONPosition(of: scanner.offset, in: bytes.span).line
      throw RecordError(file: file, line: line, message: error.message)
    }
    return records
  }

  private init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  private mutating func read(
    _ bytes: Span<UInt8>, _ scanner: inout JSONScanner
  ) throws(JSONError) {
    guard try scanner.next(in: bytes) == .beginObject else { throw JSONError.noObject }
    try readMembers(bytes, &scanner)
  }

  /// Reads the members of an object whose opening brace has been read.
  private mutating func readMembers(
    _ bytes: Span<UInt8>, _ scanner: inout JSONScanner
  ) throws(JSONError) {
    while let key = try scanner.nextKey(in: bytes) {
      let token = try scanner.nextValue(in: bytes)
      let name = key.string(in: bytes)
      switch token {
      case .string(let slice): members[name] = .text(slice.string(in: bytes))
      case .number(let slice): members[name] = .number(slice.string(in: bytes))
      case .bool(let flag): members[name] = .flag(flag)
      default: try scanner.skipRest(of: token, in: bytes)
      }
    }
  }

  // MARK: Members

  /// Whether there is a member of this name that is not null.
  func has(_ key: String) -> Bool { members[key] != nil }

  /// A string, or a number as written.
  package func text(_ key: String) throws(RecordError) -> String {
    switch members[key] {
    case .text(let text), .number(let text): return text
    case .flag, nil: throw missing(key, "a string")
    }
  }

  /// An optional string.
  package func textIfAny(_ key: String) -> String? {
    switch members[key] {
    case .text(let text), .number(let text): text
    case .flag, nil: nil
    }
  }

  var device: ExactText {
    get throws(RecordError) { ExactText(try text("device")) }
  }

  func number(_ key: String) throws(RecordError) -> Double {
    guard case .number(let text) = members[key], let number = Double(text), number.isFinite else {
      throw missing(key, "a number")
    }
    return number
  }

  package func numberIfAny(_ key: String) throws(RecordError) -> Double? {
    has(key) ? try number(key) : nil
  }

  /// A flag; a missing one is false.
  package func flag(_ key: String) -> Bool { members[key] == .flag(true) }

  package func timestamp(_ key: String) throws(RecordError) -> Timestamp {
    guard let text = textIfAny(key) else { throw missing(key, "a time") }
    guard let time = TimeText.parse(Array(text.utf8).span) else {
      throw error("found '\(text)' as \(key), expected a time like 2025-03-10T08:00:00Z")
    }
    return time
  }

  package func timestampIfAny(_ key: String) throws(RecordError) -> Timestamp? {
    has(key) ? try timestamp(key) : nil
  }

  /// Seconds since 1970.
  func time(_ key: String) throws(RecordError) -> Double { Seconds.of(try timestamp(key)) }

  func timeIfAny(_ key: String) throws(RecordError) -> Double? {
    try timestampIfAny(key).map(Seconds.of)
  }

  /// An error of this record.
  package func error(_ message: String) -> RecordError {
    RecordError(file: file, line: line, message: message)
  }

  private func missing(_ key: String, _ expected: String) -> RecordError {
    error("expected \(expected) as \(key) here, found none")
  }
}

/// Times as seconds since 1970.
enum Seconds {
  /// Parses a time to seconds since 1970.
  static func parse(_ text: String) -> Double? {
    TimeText.parse(Array(text.utf8).span).map(of)
  }

  static func of(_ time: Timestamp) -> Double {
    let (whole, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Double(whole) + Double(rest) / 1e9
  }
}

extension JSONError {
  fileprivate static let noObject = JSONError(
    offset: 0, message: "found no JSON object, expected one like {\"device\":…} on a line")
  fileprivate static let noArray = JSONError(
    offset: 0, message: "found no JSON array, expected one of objects")
}

extension JSONScanner {
  /// Whether the open array continues with an object, whose opening brace is consumed.
  fileprivate mutating func peeksObject(in bytes: Span<UInt8>) throws(JSONError) -> Bool {
    switch try nextValue(in: bytes) {
    case nil: return false
    case .beginObject: return true
    default: throw JSONError(offset: tokenOffset, message: "expected an object in the array")
    }
  }
}
