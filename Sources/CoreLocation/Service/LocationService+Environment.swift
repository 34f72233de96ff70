internal import Foundation
internal import Geocoding
internal import Services

extension LocationService.Configuration {
  /// The variables that set the program's service up.
  enum Variable: String, CaseIterable {
    /// `gpsd://HOST[:PORT][/DEVICE]`, the path of a recording with `?speed=N|max`, or `none`.
    case source = "WAYMARK_SOURCE"
    /// `precise` or `apple`.
    case profile = "WAYMARK_PROFILE"
    /// `allow`, `deny`, `restrict`, `ask`, `always`, `whenInUse`, or the path of a permission file.
    case permission = "WAYMARK_PERMISSION"
    /// The path of a property list with purposes.
    case purposes = "WAYMARK_PURPOSES"
    /// `gazetteer`, the path of one, or `none`.
    case geocoder = "WAYMARK_GEOCODER"
    /// The folder for what lasts between launches.
    case state = "WAYMARK_STATE"
    /// `location` when the program was launched as something happened while it did not run.
    case launched = "WAYMARK_LAUNCHED"
  }

  /// The setup that the environment of this process gives, to change it in code.
  ///
  /// What the environment does not say is the usual. A wrong value is logged, and the safe choice
  /// taken: no source, or nothing allowed.
  public static func fromEnvironment() -> Self {
    let log = ServiceLog(Self().logger)
    return of(environment: ProcessInfo.processInfo.environment, log: { log($0) })
  }

  /// As variables say.
  /// - Parameters:
  ///   - environment: The variables.
  ///   - log: Takes lines for the developer.
  static func of(
    environment: [String: String], log: @escaping @Sendable (String) -> Void
  ) -> Self {
    var configuration = Self()
    let values = Values(environment: environment, log: log)
    configuration.source = values.source
    configuration.profile = values.profile
    configuration.permission = values.permission
    configuration.purposes = values.purposes
    configuration.stateFolder = values.stateFolder
    configuration.geocoder = values.geocoder
    values.tellUnknownNames()
    return configuration
  }

  /// Whether variables say that `waymark launch` started the program for what happened.
  static func isLaunch(_ environment: [String: String]) -> Bool {
    environment[Variable.launched.rawValue] == "location"
  }
}

/// What variables of the environment mean.
private struct Values {
  typealias Variable = LocationService.Configuration.Variable

  let environment: [String: String]
  let log: @Sendable (String) -> Void

  /// An empty variable is as good as none.
  private subscript(variable: Variable) -> String? {
    environment[variable.rawValue].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func tell(_ variable: Variable, _ fault: String) {
    log("\(variable.rawValue): \(fault)")
  }

  var source: LocationService.Configuration.Source {
    guard let text = self[.source] else { return .gpsd() }
    do throws(SourceError) {
      return .init(try SourceDescription(parsing: text))
    } catch {
      tell(.source, "\(error); there are no locations")
      return .none
    }
  }

  var profile: LocationService.Configuration.Profile {
    switch self[.profile] {
    case nil, "precise": return .precise
    case "apple": return .apple
    case let found?:
      tell(.profile, "found '\(found)', expected precise or apple; it is precise")
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
      tell(
        .permission,
        "found '\(found)', expected allow, deny, restrict, ask, always, whenInUse or the path of a "
          + "permission file, with a slash in it; nothing is allowed")
      return .deny
    }
  }

  var purposes: LocationService.Configuration.Purposes? {
    guard let path = self[.purposes] else { return nil }
    do throws(LocationServiceError) {
      return try .init(propertyList: path)
    } catch {
      tell(.purposes, error.description)
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
        tell(.geocoder, "\(error); no place is named")
        return NoGeocoder()
      }
    case let found?:
      tell(
        .geocoder,
        "found '\(found)', expected gazetteer, none or the path of a gazetteer, with a slash in it; "
          + "no place is named")
      return NoGeocoder()
    }
  }

  /// systemd gives a service a folder of its own; of several the first is meant.
  var stateFolder: String? {
    self[.state]
      ?? environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
  }

  /// A name that is misspelled would go unnoticed.
  func tellUnknownNames() {
    let known = Variable.allCases.map(\.rawValue)
    for name in environment.keys.sorted()
    where name.hasPrefix("WAYMARK_") && !known.contains(name) {
      log("\(name): there is no such variable; there are \(known.joined(separator: ", "))")
    }
  }
}
