/// Who decides what a program may know of the device's location.
package enum PermissionPolicy: Sendable {
  /// Every request is granted; before the first one nothing is decided.
  case allow
  /// Refused from the start.
  case deny
  /// Refused from the start, and the user cannot change it.
  case restrict
  /// Decided from the start.
  case fixed(Grant)
  /// The user at the terminal.
  case terminal(TerminalAsker)
  /// A file, and the user at the terminal for what it does not decide.
  case file(PermissionFile, TerminalAsker)
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
  private var fixed: Grant? {
    switch self {
    case .deny: Grant(.denied)
    case .restrict: Grant(.restricted)
    case .fixed(let grant): grant
    case .allow, .terminal, .file, .function: nil
    }
  }
}

extension PermissionPolicy {
  /// A policy together with the file of the user's decisions, if any.
  package struct Keeper: Sendable {
    package let policy: PermissionPolicy
    private let file: PermissionFile?
    private var kept: PermissionRecord?
    /// Whether the file was rejected; then it is not overwritten.
    private var isRefused = false

    /// Uses the file of the policy, else `stateFile`, the one in the program's state folder; what
    /// is decided from the start has no file.
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
    /// If the file is rejected, access is denied and `say` receives the reason.
    package mutating func open(say: (String) -> Void) -> PermissionRecord? {
      if let grant = policy.fixed { return PermissionRecord(grant.status, grant.accuracy) }
      do {
        kept = try file?.read()
        return kept
      } catch {
        say(error.description)
        isRefused = true
        return PermissionRecord(.denied)
      }
    }

    /// Saves the decision, if it has changed.
    package mutating func keep(_ record: PermissionRecord, say: (String) -> Void) {
      guard let file, !isRefused, record != kept,
        kept != nil || record.status != .notDetermined
      else { return }
      kept = record
      do {
        try file.write(record)
      } catch {
        say(error.description)
      }
    }
  }
}
