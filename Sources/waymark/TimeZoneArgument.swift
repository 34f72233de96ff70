import ArgumentParser
import Foundation

/// A time zone on the command line, by its name.
enum TimeZoneArgument {
  @Sendable static func parse(_ name: String) throws -> TimeZone {
    guard let zone = TimeZone(identifier: name) else {
      throw ValidationError(
        "'\(name)' is no time zone, expected a name such as Europe/Berlin; "
          + "`timedatectl list-timezones` lists them")
    }
    return zone
  }
}
