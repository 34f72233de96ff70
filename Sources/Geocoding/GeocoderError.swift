/// Why there is no name for a place, or no place for a name.
public enum GeocoderError: Error, Sendable, Hashable {
  /// Nothing is known there, or nothing has that name.
  case noResult
  /// Only a part of what was asked for is known.
  case partialResult
  /// There is no way to ask, or too much was asked; the text says which, and what to do.
  case network(String)
  /// The task that asked was cancelled.
  case cancelled
  /// The request makes no sense; the text says what is wrong with it and what was expected.
  case invalidRequest(String)
}

extension GeocoderError: CustomStringConvertible {
  /// What went wrong, as a sentence without its full stop.
  public var description: String {
    switch self {
    case .noResult: "nothing is known there"
    case .partialResult: "only a part of the address is known"
    case .network(let reason), .invalidRequest(let reason): reason
    case .cancelled: "the request was cancelled"
    }
  }
}
