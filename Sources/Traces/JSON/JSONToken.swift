/// A token of a JSON text.
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

  /// The name in messages.
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

/// The range of a string (without its quotes) or a number in the scanned bytes.
package struct JSONSlice: Sendable, Hashable {
  package let range: Range<Int>
  /// Whether a string contains escapes, so its bytes differ from its text.
  package let isEscaped: Bool
}

/// Why bytes are not valid JSON.
package struct JSONError: Error, Sendable, Hashable {
  /// Bytes from the beginning of the scanned text.
  package let offset: Int
  /// What was found and what was expected: one sentence, no full stop.
  package let message: String
  /// Whether the text is only incomplete: more bytes could make it valid.
  package let isCutShort: Bool

  package init(offset: Int, message: String, isCutShort: Bool = false) {
    self.offset = offset
    self.message = message
    self.isCutShort = isCutShort
  }
}
