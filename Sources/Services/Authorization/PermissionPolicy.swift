/// Who decides what a program may know of places.
package enum PermissionPolicy: Sendable {
  /// Every request is granted as asked; before one nothing is decided.
  case allow
  /// Refused from the start.
  case deny
  /// Refused from the start, by somebody whom the user cannot overrule.
  case restrict
  /// Decided from the start.
  case fixed(Grant)
  /// Whoever sits at the terminal.
  case terminal(TerminalAsker)
  /// What a file says, and whoever sits at the terminal about what it does not say.
  case file(PermissionFile, TerminalAsker)
  /// The function given; it answers at once or later, from any thread.
  case function(@Sendable (Prompt, @escaping @Sendable (PromptAnswer) -> Void) -> Void)

  /// Has a prompt answered; the answer may come within the call.
  ///
  /// Nothing here waits for anybody: a terminal has a thread of its own.
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

  /// What is decided whatever is kept; nil when it is the user's to decide.
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
  /// A policy together with the file in which the user's decisions are kept, if any.
  package struct Keeper: Sendable {
    package let policy: PermissionPolicy
    private let file: PermissionFile?
    private var kept: PermissionRecord?
    /// A file that was not understood is not written over.
    private var isRefused = false

    /// Keeps decisions in the file of the policy, else in `stateFile`, the one of the program's state
    /// folder; what is decided from the start is kept nowhere.
    package init(_ policy: PermissionPolicy, stateFile: PermissionFile? = nil) {
      self.policy = policy
      if case .file(let file, _) = policy {
        self.file = file
      } else {
        file = policy.fixed == nil ? stateFile : nil
      }
    }

    /// What holds when the program starts; nil when nothing was decided yet.
    ///
    /// Where the file is not to be believed everything is denied, and `say` is told why.
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

    /// Keeps what is decided now, unless that is kept already.
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
