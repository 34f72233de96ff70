/// Why a file cannot be used at all.
package enum TraceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no such file.
  case notFound(path: String)
  /// The system refused; `reason` is its error text.
  case unreadable(path: String, reason: String)
  /// None of the supported formats.
  case unrecognised(path: String, reason: String)
  /// The contents are invalid at a line and column.
  case invalid(path: String, line: Int, column: Int, message: String)

  package var description: String {
    switch self {
    case .notFound(let path): "\(path): no such file"
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .unrecognised(let path, let reason): "\(path): \(reason)"
    case .invalid(let path, let line, let column, let message):
      "\(path):\(line):\(column): \(message)"
    }
  }
}
