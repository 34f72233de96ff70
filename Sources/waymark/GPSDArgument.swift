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

  /// The same for a command with `--config`, whose file may be given without the option.
  @Sendable static func parseBesideConfig(_ text: String) throws -> GPSDAddress {
    do {
      return try GPSDAddress(parsing: text)
    } catch {
      let advice = error.isConfig ? "; did you mean '--config \(text)'?" : ""
      throw ValidationError(error.description + advice)
    }
  }
}
