internal import Foundation
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
    /// The folder for what lasts between launches.
    case state = "WAYMARK_STATE"
    /// `location` when the program was launched as something happened while it did not run.
    case launched = "WAYMARK_LAUNCHED"
  }

  /// As the environment says; what it does not say is the usual.
  ///
  /// Of a wrong value a line is told, and the safe choice taken: no source, or nothing allowed.
  /// - Parameters:
  ///   - environment: The variables.
  ///   - bundlePurposes: The path of the Info.plist beside the program.
  ///   - log: Takes lines for the developer.
  static func of(
    environment: [String: String], bundlePurposes: String?,
    log: @escaping @Sendable (String) -> Void
  ) -> Self {
    var configuration = Self(permission: .deny)
    configuration.log = log
    let values = Values(environment: environment, log: log)
    configuration.source = values.source
    configuration.profile = values.profile
    configuration.permission = values.permission
    configuration.purposes = values.purposes(beside: bundlePurposes)
    configuration.stateFolder = values.stateFolder
    configuration.wasLaunched = environment[Variable.launched.rawValue] == "location"
    values.tellUnknownNames()
    return configuration
  }

  /// As the environment of this process says.
  static func ofProcess() -> Self {
    let plist = Bundle.main.bundleURL.appendingPathComponent("Info.plist").path
    return of(
      environment: ProcessInfo.processInfo.environment,
      bundlePurposes: FileManager.default.fileExists(atPath: plist) ? plist : nil,
      log: LocationService.logToStandardError)
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

  var source: SourceDescription {
    do throws(SourceError) {
      return try SourceDescription(parsing: self[.source] ?? "gpsd://localhost:2947")
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

  var permission: PermissionPolicy {
    switch self[.permission] {
    case nil, "allow": return .allow
    case "deny": return .deny
    case "restrict": return .restrict
    case "always": return .fixed(Grant(.always))
    case "whenInUse": return .fixed(Grant(.whenInUse))
    case "ask": return .terminal(TerminalAsker(say: log))
    case let path? where path.contains("/"):
      return .file(PermissionFile(path: path), TerminalAsker(say: log))
    case let found?:
      tell(
        .permission,
        "found '\(found)', expected allow, deny, restrict, ask, always, whenInUse or the path of a "
          + "permission file, with a slash in it; nothing is allowed")
      return .deny
    }
  }

  func purposes(beside bundled: String?) -> PurposeStrings {
    guard let path = self[.purposes] ?? bundled else { return PurposeStrings() }
    do throws(PurposeError) {
      return try PurposeStrings(path: path)
    } catch {
      log((self[.purposes] == nil ? "" : Variable.purposes.rawValue + ": ") + error.description)
      return PurposeStrings()
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
