import ArgumentParser
import Formats

/// What the paths of tracks say, for every command that reads tracks.
struct PathOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Where the end of a path names the device of a track that names none: '{device}/*' for the folder, \
      '{device}-*.gpx' for a part of the file name.
      """,
      valueName: "pattern"),
    transform: PathOptions.pattern)
  var deviceFrom: DevicePattern?

  @Sendable private static func pattern(_ text: String) throws -> DevicePattern {
    do {
      return try DevicePattern(text)
    } catch {
      throw ValidationError("'\(text)' \(error.reason)")
    }
  }
}
