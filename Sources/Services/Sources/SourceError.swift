package import GPSD

/// A text that names no source of fixes.
package enum SourceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It is empty.
  case empty
  /// It begins as the address of a gpsd, and is none.
  case address(GPSDAddressError)
  /// It begins as an address of another kind.
  case otherScheme(found: String)
  /// Standard input, which is the program's own.
  case standardInput
  /// What follows the path is no speed.
  case options(found: String)
  /// A speed at which nothing can be played.
  case speed(found: Double)

  package var description: String {
    switch self {
    case .empty: "found nothing, expected \(Self.expected)"
    case .address(let error): error.description
    case .otherScheme(let found): "found '\(found)', expected \(Self.expected)"
    case .standardInput:
      "found '-', but standard input is the program's own; expected \(Self.expected)"
    case .options(let found):
      "found '\(found)' behind the path, expected ?speed=N with N above 0, or ?speed=max; a path "
        + "that has a question mark in it needs one of them behind it"
    case .speed(let found):
      "found the speed \(found), expected one above 0, or infinity for as fast as it goes"
    }
  }

  private static let expected =
    "\(GPSDAddress.form), the path of a trace such as trip.gpx or trip.gpx?speed=10, or none"
}
