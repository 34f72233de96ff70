/// Why a ``Locator`` cannot say what it was asked.
public enum LocatorError: Error, Sendable, CustomStringConvertible {
  /// The user does not allow it.
  case denied
  /// It is not allowed, and the user cannot change that.
  case restricted
  /// Location services are off for the whole machine.
  case servicesOff
  /// The user was not asked, as the program is in the background or gives no purpose for it.
  case undecided
  /// No location as good as asked for came in time; the best that came, if any did.
  case timedOut(best: CLLocation?)
  /// There is no source of locations, or it is over.
  case unavailable
  /// The region with this identifier cannot be monitored: its centre or radius is none, or there are
  /// as many as the profile allows.
  case regionRefused(String)
  /// The place has no name.
  case nameless

  /// One sentence that says what is wrong.
  public var description: String {
    switch self {
    case .denied: "the user does not allow this program to know where it is"
    case .restricted: "this program may not know where it is, and the user cannot change that"
    case .servicesOff: "location services are off"
    case .undecided:
      "the user was not asked: the program must be in use and give its purpose, in an Info.plist "
        + "or in code"
    case .timedOut(let best):
      if let best {
        "no location as good as asked for came in time; the best is good to "
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
