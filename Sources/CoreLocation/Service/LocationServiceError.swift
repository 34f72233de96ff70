/// Why a recording cannot be played through a location service.
public enum LocationServiceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another is being played, or this is within a delegate's method.
  case busy
  /// It cannot be read, for the reason given, which names the place.
  case trace(String)

  /// The error in words.
  public var description: String {
    switch self {
    case .busy:
      "a recording is being played through this location service, or one of its delegates is being "
        + "called; play one after the other, and none from within a delegate's method"
    case .trace(let reason): reason
    }
  }
}
