internal import Services

extension LocationService.Configuration {
  /// Who decides about the program's permission.
  public enum Permission: Sendable, Hashable {
    /// Every request is granted; nothing is decided before the first.
    case allow
    /// Denied from the start.
    case deny
    /// Denied from the start, by someone whom the user cannot overrule.
    case restrict
    /// Allowed at any time, from the start.
    case always
    /// Allowed while the program is in use, from the start.
    case whenInUse
    /// The user at the terminal is asked.
    case ask
    /// The file at this path decides; the terminal is asked for the rest, and the file gets the answers.
    ///
    /// If the path is a folder, the program has its own file in it.
    case file(String)
  }
}

extension PermissionPolicy {
  init(
    _ permission: LocationService.Configuration.Permission,
    log: @escaping @Sendable (String) -> Void
  ) {
    self =
      switch permission {
      case .allow: .allow
      case .deny: .deny
      case .restrict: .restrict
      case .always: .fixed(Authorization(.always))
      case .whenInUse: .fixed(Authorization(.whenInUse))
      case .ask: .terminal(TerminalPrompter(log: log))
      case .file(let path): .file(PermissionFile(path: path), TerminalPrompter(log: log))
      }
  }
}
