/// Who decides what a program may know of the device's location.
package enum PermissionPolicy: Sendable {
  /// Every request is granted; before the first one nothing is decided.
  case allow
  /// Refused from the start.
  case deny
  /// Refused from the start, and the user cannot change it.
  case restrict
  /// Decided from the start.
  case fixed(Authorization)
  /// The user at the terminal.
  case terminal(TerminalPrompter)
  /// A file, and the user at the terminal for what it does not decide.
  case file(PermissionFile, TerminalPrompter)
  /// A function; it answers at once or later, from any thread.
  case function(@Sendable (Prompt, @escaping @Sendable (PromptAnswer) -> Void) -> Void)

  /// Requests the answer to a prompt; it may come within the call.
  ///
  /// It never blocks: a terminal has a thread of its own.
  package func ask(
    _ prompt: Prompt, _ reply: @escaping @Sendable (PromptAnswer) -> Void
  ) {
    switch self {
    case .allow: reply(prompt.choices.first ?? .declined)
    case .deny, .restrict, .fixed: reply(.denied)
    case .terminal(let asker), .file(_, let asker): asker.ask(prompt, reply)
    case .function(let answer): answer(prompt, reply)
    }
  }

  /// What is decided in any case; nil when the user decides.
  private var fixed: Authorization? {
    switch self {
    case .deny: Authorization(.denied)
    case .restrict: Authorization(.restricted)
    case .fixed(let grant): grant
    case .allow, .terminal, .file, .function: nil
    }
  }
}

extension PermissionPolicy {
  /// A policy together with the file of the user's decisions, if any.
  package struct Store: Sendable {
    package let policy: PermissionPolicy
    private let file: PermissionFile?
    private var saved: PermissionRecord?
    /// Whether the file was rejected; then it is not overwritten.
    private var isRejected = false

    /// Uses the file of the policy, else `stateFile`, the one in the program's state folder; what is
    /// decided from the start has no file.
    package init(_ policy: PermissionPolicy, stateFile: PermissionFile? = nil) {
      self.policy = policy
      if case .file(let file, _) = policy {
        self.file = file
      } else {
        file = policy.fixed == nil ? stateFile : nil
      }
    }

    /// The decision at the start of the program; nil when there is none yet.
    ///
    /// If the file is rejected, access is denied and `log` receives the reason.
    package mutating func open(log: (String) -> Void) -> PermissionRecord? {
      if let grant = policy.fixed { return PermissionRecord(grant.status, grant.accuracy) }
      do {
        saved = try file?.read()
        return saved
      } catch {
        log(error.description)
        isRejected = true
        return PermissionRecord(.denied)
      }
    }

    /// Saves the decision, if it has changed.
    package mutating func save(_ record: PermissionRecord, log: (String) -> Void) {
      guard let file, !isRejected, record != saved,
        saved != nil || record.status != .notDetermined
      else { return }
      saved = record
      do {
        try file.write(record)
      } catch {
        log(error.description)
      }
    }
  }
}
