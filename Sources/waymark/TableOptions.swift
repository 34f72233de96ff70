import ArgumentParser
import Formats
import Foundation
import Settings

/// What a user knows of tables that do not say it themselves.
struct CSVOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The columns of a CSV file that have names of their own, with a unit where the name has none: \
      "time=ts,speed=v [km/h]". Without a header they are numbers from 1.
      """,
      valueName: "field=column,…"),
    transform: CSVOptions.columns)
  var columns: ColumnChoice?

  @Option(
    help: ArgumentHelp(
      "The time zone of times that name none, such as Europe/Berlin; UTC unless given.",
      valueName: "name"),
    transform: TimeZoneArgument.parse)
  var csvTimeZone: TimeZone?

  /// What is known of tables; what is given here comes before the config.
  func settings(_ configuration: Configuration) -> CSVSettings {
    var settings = configuration[CSVSection.self]
    if let columns { settings.columns = columns }
    if let csvTimeZone { settings.zone = csvTimeZone }
    return settings
  }

  @Sendable private static func columns(_ text: String) throws -> ColumnChoice {
    do {
      return try ColumnChoice(parsing: text)
    } catch {
      throw ValidationError("--columns: \(error)")
    }
  }
}

/// What a user knows of tables and logs that do not say it themselves.
struct TableOptions: ParsableArguments {
  @OptionGroup var csv: CSVOptions

  @Flag(
    name: .customLong("ais"), help: "Each ship that a log of gpsd reports by AIS is a device too.")
  var readsShips = false

  @Flag(
    name: .customLong("allow-simulated"),
    help: "Use positions that a receiver calls simulated, which are refused otherwise.")
  var allowsSimulated = false

  @OptionGroup var paths: PathOptions

  /// The options of the readers; what is given here comes before the config.
  func options(_ configuration: Configuration = Configuration()) -> ReadingOptions {
    var options = csv.settings(configuration).options
    options.devices = paths.deviceFrom
    options.readsShips = readsShips
    options.allowsSimulated = allowsSimulated
    return options
  }
}
