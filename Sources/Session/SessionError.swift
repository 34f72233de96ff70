package import Traces

/// Why a run could not go on.
package enum SessionError: Error, Sendable, CustomStringConvertible {
  /// A trace could not be opened or read.
  case trace(TraceError)
  /// The events could not be written.
  case output(path: String, reason: String)
  /// Whoever read the events has gone away: no error, but nothing is left to do.
  case readerGone

  package var description: String {
    switch self {
    case .trace(let error): error.description
    case .output(let path, let reason): "\(path): cannot write events: \(reason)"
    case .readerGone: "the reader of the events went away"
    }
  }
}
