import ArgumentParser
import MapTiles
import Outbox
import Settings
import PlaceNaming
import Storing
import Tracking

/// The options of every command that runs the engine.
struct SessionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Fences and settings, YAML or JSON.", valueName: "file"), completion: .file()
  )
  var config: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A circular fence; may be given often: home=52.5163,13.3777,100m",
      valueName: "id=lat,lon,radius"))
  var fence: [String] = []

  @OptionGroup var naming: DeviceOptions

  var device: String? { naming.device }

  /// The settings of the config file, if there is one.
  func configuration() throws -> Configuration {
    try Self.configuration(at: config)
  }

  /// The sections that other modules read.
  static var sections: [any ConfigurationSection.Type] {
    [
      CSVSection.self, GeocoderSection.self, StoreSection.self, DeliverSection.self,
      TileSection.self,
    ]
  }

  /// The settings of a config file, or those of a program without one.
  static func configuration(at path: String?) throws -> Configuration {
    guard let path else { return Configuration() }
    do {
      return try Configuration(path: path, sections: sections)
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// Errors are reported here, while the parser still knows whose usage to show.
  func validate() throws {
    do {
      _ = try FenceSet(try optionFences())
    } catch let error as ConfigurationError {
      throw ValidationError(error.description)
    } catch let error as FenceSetError {
      throw ValidationError(error.description)
    }
  }

  /// The rules for the engine: those of the config, and the fences of `--fence`.
  func rules(_ configuration: Configuration) throws -> Rules {
    do {
      return try configuration.rules(adding: optionFences())
    } catch let error as FenceSetError {
      throw ExitStatus.of(error)
    }
  }

  /// The place names of a config's geocoder; nil without one.
  ///
  /// - Parameter waits: Whether to wait for the answers of a server.
  static func names(_ configuration: Configuration, waits: Bool) throws -> GeocodedPlaceNames? {
    do throws(GeocoderFactory.Failure) {
      return try GeocodedPlaceNames(configuration[GeocoderSection.self], waits: waits) {
        Terminal.report("waymark: \($0)")
      }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private func optionFences() throws -> [Fence] {
    try fence.map { try Fence(option: $0) }
  }
}
