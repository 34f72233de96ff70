/// A problem in a trace, and its position.
package struct TraceIssue: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// One record is invalid; the others were read.
    case record
    /// The trace ends in the middle of a record; everything before it was read.
    case truncated
    /// Reading stopped here: what follows cannot be parsed.
    case malformed
  }

  package var kind: Kind
  /// Line from 1; in a binary trace the offset of a byte.
  package var line: Int
  /// Column in bytes from 1; 0 in a binary trace.
  package var column: Int
  /// What was found, what was expected and what to do: one sentence, without a full stop and the
  /// position.
  package var message: String

  package init(_ kind: Kind, line: Int, column: Int, _ message: String) {
    self.kind = kind
    self.line = line
    self.column = column
    self.message = message
  }

  /// A problem at a byte of a binary trace, from 0.
  package init(_ kind: Kind, byte: Int, _ message: String) {
    self.init(kind, line: byte, column: 0, message)
  }
}
