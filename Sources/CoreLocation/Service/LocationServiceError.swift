/// Why a location service cannot be set up, or a recording not be played through it.
public enum LocationServiceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another is being played, or this is within a delegate's method.
  case busy
  /// It cannot be read, for the reason given, which names the place.
  case trace(String)
  /// What is to be set up cannot be used, for the reason given.
  case configuration(String)
  /// The program's service was set up in code before.
  case configured
  /// The program's service is in use, as the environment has set it up.
  case inUse

  /// The error in words.
  public var description: String {
    switch self {
    case .busy:
      "a recording is being played through this location service, or one of its delegates is being "
        + "called; play one after the other, and none from within a delegate's method"
    case .trace(let reason), .configuration(let reason): reason
    case .configured:
      "the program's location service was set up in code before; call LocationService.configure "
        + "once"
    case .inUse:
      "the program's location service is in use, as the environment has set it up; call "
        + "LocationService.configure before the first manager, monitor, stream, session or geocoder "
        + "is made"
    }
  }
}
