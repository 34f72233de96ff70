internal import Delivering
internal import Foundation
internal import Geocoding
internal import Services

extension LocationService.Configuration {
  /// The environment variables that configure the program's service.
  enum Variable: String, CaseIterable {
    /// `gpsd://HOST[:PORT][/DEVICE]`, the path of a recording with `?speed=N|max`, or `none`.
    case source = "WAYMARK_SOURCE"
    /// `precise` or `apple`.
    case profile = "WAYMARK_PROFILE"
    /// `allow`, `deny`, `restrict`, `ask`, `always`, `whenInUse`, or the path of a permission file.
    case permission = "WAYMARK_PERMISSION"
    /// The path of a property list with purpose strings.
    case purposes = "WAYMARK_PURPOSES"
    /// `gazetteer`, the path of one, or `none`.
    case geocoder = "WAYMARK_GEOCODER"
    /// The folder for state that lasts between launches.
    case state = "WAYMARK_STATE"
    /// `location` if `waymark launch` started the program for an event.
    case launched = "WAYMARK_LAUNCHED"
  }

  /// The configuration from the environment of this process, which code can change.
  ///
  /// Missing variables have the defaults. An invalid value is logged, and the safe choice is taken: no
  /// source, or no permission.
  public static func fromEnvironment() -> Self {
    let log = ServiceLog(Self().logger)
    return of(environment: ProcessInfo.processInfo.environment, log: { log($0) })
  }

  /// The configuration from environment variables.
  /// - Parameters:
  ///   - environment: The variables.
  ///   - log: Takes lines for the developer.
  static func of(
    environment: [String: String], log: @escaping @Sendable (String) -> Void
  ) -> Self {
    var configuration = Self()
    let values = EnvironmentReader(environment: environment, log: log)
    configuration.source = values.source
    configuration.profile = values.profile
    configuration.permission = values.permission
    configuration.purposes = values.purposes
    configuration.stateFolder = values.stateFolder
    configuration.geocoder = values.geocoder
    values.warnOfUnknownNames()
    return configuration
  }

  /// Whether `waymark launch` started the program for an event.
  static func isLaunch(_ environment: [String: String]) -> Bool {
    environment[Variable.launched.rawValue] == "location"
  }
}

/// Parses the environment variables.
private struct EnvironmentReader {
  typealias Variable = LocationService.Configuration.Variable

  let environment: [String: String]
  let log: @Sendable (String) -> Void

  /// The value of a variable; nil if it is empty or missing.
  private subscript(variable: Variable) -> String? {
    environment[variable.rawValue].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func warn(_ variable: Variable, _ problem: String) {
    log("\(variable.rawValue): \(problem)")
  }

  var source: LocationService.Configuration.Source {
    guard let text = self[.source] else { return .gpsd() }
    do throws(SourceError) {
      return .init(try SourceDescription(parsing: text))
    } catch {
      warn(.source, "\(error); there are no locations")
      return .none
    }
  }

  var profile: LocationService.Configuration.Profile {
    switch self[.profile] {
    case nil, "precise": return .precise
    case "apple": return .apple
    case let found?:
      warn(.profile, "found '\(found)', expected precise or apple; using precise")
      return .precise
    }
  }

  var permission: LocationService.Configuration.Permission {
    switch self[.permission] {
    case nil, "allow": return .allow
    case "deny": return .deny
    case "restrict": return .restrict
    case "always": return .always
    case "whenInUse": return .whenInUse
    case "ask": return .ask
    case let path? where path.contains("/"): return .file(path)
    case let found?:
      warn(
        .permission,
        "found '\(found)', expected allow, deny, restrict, ask, always, whenInUse or the path of a "
          + "permission file, with a slash in it; permission is denied")
      return .deny
    }
  }

  var purposes: LocationService.Configuration.Purposes? {
    guard let path = self[.purposes] else { return nil }
    do throws(LocationServiceError) {
      return try .init(propertyList: path)
    } catch {
      warn(.purposes, error.description)
      return .init()
    }
  }

  var geocoder: any Geocoder {
    switch self[.geocoder] {
    case nil, "gazetteer": return Gazetteer()
    case "none": return NoGeocoder()
    case let path? where path.contains("/"):
      do throws(GazetteerError) {
        return try Gazetteer(contentsOf: path)
      } catch {
        warn(.geocoder, "\(error); geocoding is unavailable")
        return NoGeocoder()
      }
    case let found?:
      warn(
        .geocoder,
        "found '\(found)', expected gazetteer, none or the path of a gazetteer, with a slash in it; "
          + "geocoding is unavailable")
      return NoGeocoder()
    }
  }

  /// The state folder; by default the first of those that systemd gives a service.
  var stateFolder: String? {
    self[.state]
      ?? environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
  }

  /// Warns of unknown variables, which may be misspelled.
  func warnOfUnknownNames() {
    let known = Variable.allCases.map(\.rawValue)
    for name in environment.keys.sorted()
    where name.hasPrefix("WAYMARK_") && !known.contains(name) {
      log("\(name): unknown variable, expected one of \(known.joined(separator: ", "))")
    }
  }
}
