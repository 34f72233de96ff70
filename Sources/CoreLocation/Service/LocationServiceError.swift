/// An error in the configuration of a location service, or in a replay.
public enum LocationServiceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another replay is in progress, or the call is within a delegate's method.
  case busy
  /// The recording cannot be read; carries the reason, with the position in the file.
  case trace(String)
  /// The configuration is invalid; carries the reason.
  case configuration(String)
  /// The program's service was already configured in code.
  case configured
  /// The program's service is already in use, configured by the environment.
  case inUse

  /// The error in one sentence.
  public var description: String {
    switch self {
    case .busy:
      "this location service is playing a recording or calling a delegate; play one recording after "
        + "the other, and none from within a delegate's method"
    case .trace(let reason), .configuration(let reason): reason
    case .configured:
      "the program's location service is already configured; call LocationService.configure once"
    case .inUse:
      "the program's location service is already in use, configured by the environment; call "
        + "LocationService.configure before the first manager, monitor, stream, session or geocoder "
        + "is made"
    }
  }
}
