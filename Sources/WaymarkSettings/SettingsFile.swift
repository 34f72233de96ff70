internal import Settings
public import WaymarkKit

/// The config file of the program `waymark`: fences and rules in YAML or JSON.
///
/// A program of yours and `waymark replay --config` then give the same events for the same fixes. The
/// sections `store`, `deliver`, `geocoder` and `tiles` belong to the program and are skipped. A fence
/// with `center: here` is an error, because only a running `watch` or `replay` places it.
///
/// ```swift
/// let settings = try SettingsFile("waymark.yaml")
/// var tracker = Tracker(rules: settings.rules)
/// ```
public struct SettingsFile: Sendable {
  /// Fences, visits, significant changes and limits for the engine.
  public let rules: Rules
  /// The name of the device for fixes that name none; nil when the config has none.
  public let device: String?
  /// What is probably not intended, such as a fence that is smaller than the error of a receiver: what
  /// `waymark check` warns of.
  public let warnings: [SettingsProblem]

  /// Reads a config file and the files that it includes.
  ///
  /// - Throws: ``SettingsError`` with all problems of the files.
  /// - Complexity: O(length of the files), and O(n log n) in the number of fences.
  public init(_ path: String) throws(SettingsError) {
    do throws(ConfigurationError) {
      try self.init(
        Configuration(path: path, sections: [CSVSection.self], ignoring: Self.otherSections))
    } catch {
      throw SettingsError(error)
    }
  }

  /// Reads a config from its text; the files that it includes are relative to the working folder.
  ///
  /// - Throws: ``SettingsError`` with all problems, whose file is `config`.
  public init(text: String) throws(SettingsError) {
    do throws(ConfigurationError) {
      try self.init(
        Configuration(
          text: Array(text.utf8), sections: [CSVSection.self], ignoring: Self.otherSections))
    } catch {
      throw SettingsError(error)
    }
  }

  private static let otherSections = ["geocoder", "store", "deliver", "tiles"]

  private init(_ configuration: Configuration) throws(ConfigurationError) {
    do throws(FenceSetError) {
      rules = try configuration.rules()
    } catch {
      let place = ConfigurationPlace(file: configuration.included.first ?? "config")
      throw ConfigurationError([
        ConfigurationProblem(place, found: error.description, expected: "")
      ])
    }
    device = configuration.device
    warnings = configuration.diagnostics.filter { $0.severity == .warning }.map {
      SettingsProblem($0.place, keyPath: "", message: $0.sentence)
    }
  }
}
