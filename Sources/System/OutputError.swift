/// Why output could not be written.
package enum OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The system refused, for the reason given.
  case refused(path: String, reason: String)
  /// The reader of a pipe has closed it. This is no failure: nothing is left to do.
  case readerGone

  package var description: String {
    switch self {
    case .refused(let path, let reason): "\(path): cannot be written: \(reason)"
    case .readerGone: "the reader of the output has closed it"
    }
  }
}
