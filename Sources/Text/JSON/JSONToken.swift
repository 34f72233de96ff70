/// A token of a JSON text.
public enum JSONToken: Sendable, Hashable {
  case beginObject
  case endObject
  case beginArray
  case endArray
  /// The name of a member; its value is the next token.
  case key(JSONSlice)
  case string(JSONSlice)
  case number(JSONSlice)
  case bool(Bool)
  case null

  /// The name in messages.
  public var description: String {
    switch self {
    case .beginObject: "an object"
    case .endObject: "the end of an object"
    case .beginArray: "an array"
    case .endArray: "the end of an array"
    case .key: "a key"
    case .string: "a text"
    case .number: "a number"
    case .bool(let value): value ? "true" : "false"
    case .null: "null"
    }
  }
}

/// The range of a string (without its quotes) or a number in the scanned bytes.
public struct JSONSlice: Sendable, Hashable {
  /// Offsets in the scanned bytes.
  public let range: Range<Int>
  /// Whether a string contains escapes, so its bytes differ from its text.
  public let isEscaped: Bool

  /// A string or a number at these offsets.
  public init(range: Range<Int>, isEscaped: Bool) {
    self.range = range
    self.isEscaped = isEscaped
  }
}

/// Why bytes are not valid JSON.
public struct JSONError: Error, Sendable, Hashable {
  /// Bytes from the beginning of the scanned text.
  public let offset: Int
  /// What was found and what was expected: one sentence, no full stop.
  public let message: String
  /// Whether the text is only incomplete: more bytes could make it valid.
  public let isCutShort: Bool
  /// What is wrong, for programs.
  package let code: IssueCode

  /// An error of the grammar at an offset.
  public init(offset: Int, message: String, isCutShort: Bool = false) {
    self.init(offset: offset, message: message, isCutShort: isCutShort, code: .syntax)
  }

  /// An error at an offset.
  package init(offset: Int, message: String, isCutShort: Bool = false, code: IssueCode) {
    self.offset = offset
    self.message = message
    self.isCutShort = isCutShort
    self.code = code
  }
}
