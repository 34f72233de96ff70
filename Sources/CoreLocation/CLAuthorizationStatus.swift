/// What the user allows a program to know of places.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// The user was not asked yet.
  case notDetermined = 0
  /// It is not allowed, and the user cannot change that.
  case restricted = 1
  /// The user refused, or location services are off.
  case denied = 2
  /// Allowed at any time.
  case authorizedAlways = 3
  /// Allowed while the program is in use.
  case authorizedWhenInUse = 4

  /// The older name of ``authorizedAlways``.
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}
