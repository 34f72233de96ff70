internal import Services

extension LocationService.Configuration {
  /// What the user is taken to allow, or who is asked.
  public enum Permission: Sendable, Hashable {
    /// Every request is granted as asked; before one nothing is decided.
    case allow
    /// Refused from the start.
    case deny
    /// Refused from the start, by somebody whom the user cannot overrule.
    case restrict
    /// Allowed at any time, from the start.
    case always
    /// Allowed while the program is in use, from the start.
    case whenInUse
    /// Whoever sits at the terminal is asked.
    case ask
    /// What the file at this path says; what it does not say is asked on the terminal, and kept in it.
    ///
    /// Where the path is that of a folder, it is the program's file in it.
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
      case .always: .fixed(Grant(.always))
      case .whenInUse: .fixed(Grant(.whenInUse))
      case .ask: .terminal(TerminalAsker(say: log))
      case .file(let path): .file(PermissionFile(path: path), TerminalAsker(say: log))
      }
  }
}
