/// One thing wrong with a trace, and where.
package struct TraceIssue: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// One record could not be read; the others are.
    case record
    /// The trace ends in the middle; all before it was read.
    case truncated
    /// Reading stopped here: what follows cannot be understood.
    case malformed
  }

  package var kind: Kind
  /// Line from 1.
  package var line: Int
  /// Column in bytes from 1.
  package var column: Int
  /// What is wrong, what was expected and what to do: one sentence, no full stop, no place.
  package var message: String

  package init(_ kind: Kind, line: Int, column: Int, _ message: String) {
    self.kind = kind
    self.line = line
    self.column = column
    self.message = message
  }
}
