internal import Text
import Traces

/// What a format of JSON documents means: a decoder of it is ``JSONTraceDecoder`` with this.
protocol JSONTraceContent: Sendable {
  /// A value in its context.
  associatedtype Element: JSONTraceElement

  /// The document.
  static var root: Element { get }

  /// The meaning of a member of an object; nil when it is skipped.
  mutating func member(_ key: JSONSlice, of parent: Element, _ bytes: Span<UInt8>) -> Element?

  /// The meaning of the elements of an array; nil when they are skipped.
  func item(of parent: Element) -> Element?

  /// An object or an array begins.
  mutating func begin(_ element: Element, isArray: Bool, line: Int, into batch: inout TraceBatch)

  /// Reads a value that is neither an object nor an array; returns what it should have been when it is not valid.
  mutating func read(
    _ element: Element, _ value: JSONToken, _ bytes: Span<UInt8>, into batch: inout TraceBatch
  ) -> String?

  /// Leaves out an object or an array in the place of a value, which is reported.
  mutating func leaveOut(_ element: Element)

  /// What is wrong when a value is not valid.
  func code(of element: Element) -> IssueCode

  /// An object or an array ends.
  ///
  /// - Returns: what is wrong with its contents, if anything is.
  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String?

  /// Everything has been read, or what could be.
  mutating func finish(into batch: inout TraceBatch)
}

extension JSONTraceContent {
  /// The rest is read as without it.
  mutating func leaveOut(_ element: Element) {}

  /// Nothing is held back until the end.
  mutating func finish(into batch: inout TraceBatch) {}
}

/// A value of a JSON format.
protocol JSONTraceElement: Sendable {
  /// What the value is written as.
  var form: JSONTraceForm { get }
}

/// What a value is written as.
enum JSONTraceForm: Sendable {
  case object
  case array
  case objectOrArray
  /// A text, a number, true or false.
  case plain
  /// Whatever it is; null is read as well.
  case any

  /// Whether the value that a token begins is such a value.
  func matches(_ token: JSONToken) -> Bool {
    switch (self, token) {
    case (.any, _), (.object, .beginObject), (.array, .beginArray): true
    case (.objectOrArray, .beginObject), (.objectOrArray, .beginArray): true
    case (.plain, .beginObject), (.plain, .beginArray), (.plain, .null): false
    case (.plain, _): true
    default: false
    }
  }

  /// For messages.
  var expectation: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .objectOrArray: "an object or an array"
    case .plain, .any: "a text or a number"
    }
  }
}
