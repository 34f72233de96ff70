internal import Session
internal import Text
internal import Traces

/// What is wrong with a track file, and where.
///
/// ``TrackReader`` throws one when a file cannot be opened or read to its end, and collects those of
/// single records, without which it reads on.
public struct TrackProblem: Error, Sendable, Hashable {
  /// What is wrong, for programs.
  public let code: Code
  /// The path of the file, or `standard input`.
  public let path: String
  /// The line, from 1; nil for the whole file, and in a binary file.
  public let line: Int?
  /// The column in bytes, from 1; nil for the whole file, and in a binary file.
  public let column: Int?
  /// The offset in a binary file (FIT), from 0; nil in a text.
  public let byteOffset: Int?
  /// What was found, what was expected and what to do: one sentence, without a full stop.
  public let message: String
  /// Whether nothing of the file was read after this place; false for a record that is left out, or used
  /// without one value.
  public let endsReading: Bool

  /// Makes a problem, such as one that a test gives to a handler.
  ///
  /// - Parameters:
  ///   - code: What is wrong.
  ///   - path: The file.
  ///   - line: From 1; nil for the whole file.
  ///   - column: From 1, in bytes.
  ///   - byteOffset: From 0, in a binary file.
  ///   - message: One sentence.
  ///   - endsReading: Whether nothing after it was read.
  public init(
    code: Code, path: String, line: Int? = nil, column: Int? = nil, byteOffset: Int? = nil,
    message: String, endsReading: Bool = false
  ) {
    (self.code, self.path, self.line, self.column) = (code, path, line, column)
    (self.byteOffset, self.message, self.endsReading) = (byteOffset, message, endsReading)
  }
}

extension TrackProblem: CustomStringConvertible {
  /// One line for people: the place as `path:line:column`, and the message.
  public var description: String {
    if let byteOffset { return "\(path): byte \(byteOffset): \(message)" }
    guard let line else { return "\(path): \(message)" }
    return column.map { "\(path):\(line):\($0): \(message)" } ?? "\(path):\(line): \(message)"
  }
}

extension TrackProblem {
  init(_ issue: TraceIssue, in path: String) {
    let isBinary = issue.column == 0
    self.init(
      code: Code(issue.code), path: issue.file ?? path, line: isBinary ? nil : issue.line,
      column: isBinary ? nil : issue.column, byteOffset: isBinary ? issue.line : nil,
      message: issue.message, endsReading: issue.kind != .record)
  }

  init(_ error: TraceError) {
    switch error {
    case .notFound(let path):
      self.init(code: .notFound, path: path, message: "no such file", endsReading: true)
    case .unreadable(let path, let reason):
      self.init(code: .unreadable, path: path, message: reason, endsReading: true)
    case .unrecognised(let path, let reason):
      self.init(code: .unknownFormat, path: path, message: reason, endsReading: true)
    case .invalid(let path, let line, let column, let message):
      self.init(
        code: .damaged, path: path, line: line, column: column, message: message, endsReading: true)
    }
  }
}
