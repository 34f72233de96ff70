/// One piece of a JSON text.
package enum JSONToken: Sendable, Hashable {
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

  /// What it is called in messages.
  package var description: String {
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

/// Where a string (without its quotes) or a number stands in the bytes that were scanned.
package struct JSONSlice: Sendable, Hashable {
  package let range: Range<Int>
  /// Whether a string has escapes, so that its bytes are not its text.
  package let isEscaped: Bool
}

/// Why bytes are no JSON.
package struct JSONError: Error, Sendable, Hashable {
  /// Where, in bytes from the beginning of what was scanned.
  package let offset: Int
  /// What was found and what was expected: one sentence, no full stop.
  package let message: String
  /// Whether the text only ends too early: more bytes could make it right.
  package let isCutShort: Bool

  package init(offset: Int, message: String, isCutShort: Bool = false) {
    self.offset = offset
    self.message = message
    self.isCutShort = isCutShort
  }
}
