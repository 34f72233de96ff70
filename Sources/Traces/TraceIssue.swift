package import Text

/// A problem in a trace, and its position.
package struct TraceIssue: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// One record is invalid; the others were read.
    case record
    /// The trace ends in the middle of a record; everything before it was read.
    case truncated
    /// Reading stopped here: what follows cannot be parsed.
    case malformed

    fileprivate var usualCode: IssueCode {
      switch self {
      case .record: .wrongValue
      case .truncated: .truncated
      case .malformed: .syntax
      }
    }
  }

  package var kind: Kind
  /// What is wrong, for programs.
  package var code: IssueCode
  /// The file that it is in, where a trace has several; else nil.
  package var file: String?
  /// Line from 1; in a binary trace the offset of a byte.
  package var line: Int
  /// Column in bytes from 1; 0 in a binary trace.
  package var column: Int
  /// What was found, what was expected and what to do: one sentence, without a full stop and the
  /// position.
  package var message: String

  /// - Parameter code: nil for the usual one of the kind.
  package init(
    _ kind: Kind, line: Int, column: Int, _ message: String, code: IssueCode? = nil
  ) {
    self.kind = kind
    self.code = code ?? kind.usualCode
    self.line = line
    self.column = column
    self.message = message
  }

  /// A problem at a byte of a binary trace, from 0.
  package init(_ kind: Kind, byte: Int, _ message: String, code: IssueCode? = nil) {
    self.init(kind, line: byte, column: 0, message, code: code)
  }
}
