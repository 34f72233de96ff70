import ArgumentParser
import GPSD
import Receivers

/// Where gpsd is, on the command line.
enum GPSDArgument {
  @Sendable static func parse(_ text: String) throws -> GPSDAddress {
    do {
      return try GPSDAddress(parsing: text)
    } catch {
      throw ValidationError(error.description)
    }
  }
}
