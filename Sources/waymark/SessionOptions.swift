import ArgumentParser
import MapTiles
import Outbox
import Session
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
      """
      A circular fence; may be given often: home=52.5163,13.3777,100m. With watch and replay also \
      where the device is: anchor=here,40m
      """,
      valueName: "id=lat,lon,radius"))
  var fence: [String] = []

  @OptionGroup var naming: DeviceOptions

  var device: String? { naming.device }

  /// The settings of the config file, if there is one.
  ///
  /// - Parameter placesFences: Whether the command can place fences by fixes, or uses none.
  func configuration(placesFences: Bool = false) throws -> Configuration {
    try Self.configuration(at: config, placesFences: placesFences)
  }

  /// The sections that other modules read.
  static var sections: [any ConfigurationSection.Type] {
    [
      CSVSection.self, GeocoderSection.self, StoreSection.self, DeliverSection.self,
      TileSection.self,
    ]
  }

  /// The settings of a config file, or those of a program without one.
  ///
  /// - Parameter placesFences: Whether the command can place fences by fixes, or uses none.
  static func configuration(
    at path: String?, placesFences: Bool = false
  ) throws -> Configuration {
    guard let path else { return Configuration() }
    do {
      return try Configuration(path: path, sections: sections, placesFences: placesFences)
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// Errors are reported here, while the parser still knows whose usage to show.
  func validate() throws {
    do {
      _ = try FenceSet(try optionFences())
      _ = try optionAnchors()
    } catch let error as ConfigurationError {
      throw ValidationError(error.description)
    } catch let error as FenceSetError {
      throw ValidationError(error.description)
    }
  }

  /// The rules for the engine: those of the config, and the fences of `--fence`.
  func rules(_ configuration: Configuration) throws -> Rules {
    if let anchor = try optionAnchors().first {
      throw ExitStatus.of(
        ValidationError(
          "--fence \(anchor.fence.id)=here: only watch and replay place a fence where the device is; "
            + "give its latitude and longitude"))
    }
    return try fixedRules(configuration)
  }

  /// The rules, and the fences that fixes place.
  func rulesAndAnchors(
    _ configuration: Configuration
  ) throws -> (rules: Rules, anchors: [AnchorPlan]) {
    let anchors = configuration.anchors + (try optionAnchors())
    let rules = try fixedRules(configuration)
    do {
      // Their ids must differ from all others, which is known before they have a place.
      if !anchors.isEmpty { _ = try FenceSet(anchors.map(\.fence) + Array(rules.fences)) }
    } catch {
      throw ExitStatus.of(error)
    }
    return (rules, anchors)
  }

  private func fixedRules(_ configuration: Configuration) throws -> Rules {
    do {
      return try configuration.rules(adding: optionFences())
    } catch let error as FenceSetError {
      if case .duplicateID(let id) = error, let place = configuration.place(ofFence: id) {
        throw ExitStatus.of(
          ValidationError(
            "--fence \(id): found an id that a fence has already, expected a unique id "
              + "(first used at \(place))"))
      }
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
    try fence.compactMap { try AnchorPlan(option: $0) == nil ? Fence(option: $0) : nil }
  }

  private func optionAnchors() throws -> [AnchorPlan] {
    try fence.compactMap { try AnchorPlan(option: $0) }
  }
}
