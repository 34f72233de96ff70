/// A program's permission to use location services.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// The user has not decided yet.
  case notDetermined = 0
  /// Denied, and the user cannot change that.
  case restricted = 1
  /// The user denied it, or location services are off.
  case denied = 2
  /// Allowed at any time.
  case authorizedAlways = 3
  /// Allowed while the program is in use.
  case authorizedWhenInUse = 4

  /// The older name of ``authorizedAlways``.
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}
