/// Why a geocoder has no result.
///
/// ``network(_:)`` may be over later: retry with a back-off. The errors of a request itself stay as
/// they are.
public enum GeocoderError: Error, Sendable, Hashable {
  /// Nothing is known at this position, or no place has this name.
  case noResult
  /// Only a part of the address is known.
  case partialResult
  /// The server is unavailable, or there were too many requests; the text has the reason and a remedy.
  case network(String)
  /// The task of the request was cancelled.
  case cancelled
  /// The request is invalid; the text has what was found and what was expected.
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
