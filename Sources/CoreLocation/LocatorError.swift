/// An error of a ``Locator``.
public enum LocatorError: Error, Sendable, CustomStringConvertible {
  /// The user denied permission.
  case denied
  /// Permission is denied, and the user cannot change that.
  case restricted
  /// Location services are off for the whole machine, or the program was started without a source.
  case servicesOff
  /// The user could not be asked: the program is in the background or gives no purpose.
  case undecided
  /// No location of the required accuracy came in time; carries the best one, if any.
  case timedOut(best: CLLocation?)
  /// There is no source of locations, or it has ended.
  case unavailable
  /// The region with this identifier cannot be monitored: its centre or radius is invalid, or the limit
  /// of the profile is reached.
  case regionRefused(String)
  /// The place has no name.
  case nameless

  /// The error in one sentence.
  public var description: String {
    switch self {
    case .denied: "the user denied this program permission to use its location"
    case .restricted:
      "this program has no permission to use its location, and the user cannot change that"
    case .servicesOff: "location services are off"
    case .undecided:
      "the user could not be asked: the program must be in use and give its purpose, in an Info.plist "
        + "or in code"
    case .timedOut(let best):
      if let best {
        "no location of the required accuracy came in time; the best has an accuracy of "
          + "\(best.horizontalAccuracy.rounded()) m"
      } else {
        "no location came in time"
      }
    case .unavailable: "there is no source of locations"
    case .regionRefused(let identifier):
      "the region '\(identifier)' cannot be monitored; expected a valid centre, a radius above 0, "
        + "and no more regions than the profile allows"
    case .nameless: "the place has no name"
    }
  }
}
