package import Receivers

/// A text that is not a valid source of fixes.
package enum SourceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It is empty.
  case empty
  /// It starts like the address of a gpsd, and is invalid.
  case address(GPSDAddressError)
  /// It starts like an address of another kind.
  case otherScheme(found: String)
  /// Standard input, which the program itself uses.
  case standardInput
  /// The part after the path is not valid options.
  case options(found: String)
  /// An invalid speed.
  case speed(found: Double)

  package var description: String {
    switch self {
    case .empty: "found nothing, expected \(Self.expected)"
    case .address(let error): error.description
    case .otherScheme(let found): "found '\(found)', expected \(Self.expected)"
    case .standardInput:
      "found '-', but the program uses standard input itself; expected \(Self.expected)"
    case .options(let found):
      "found '\(found)' after the path, expected ?speed=N with N above 0, or ?speed=max, ?device=NAME, "
        + "?time=now or ?time=recorded, with & between several; a path with a question mark in it needs "
        + "one of them"
    case .speed(let found):
      "found the speed \(found), expected one above 0, or infinity for as fast as possible"
    }
  }

  private static let expected =
    "\(GPSDAddress.form), the path of a trace such as trip.gpx or trip.gpx?speed=10, or none"
}
