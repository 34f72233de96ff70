internal import Dispatch
internal import Text

/// Shows prompts on the terminal, one after the other, on a thread of its own.
package struct TerminalPrompter: Sendable {
  /// A terminal, in lines.
  package protocol Line: AnyObject {
    func write(_ text: String)
    /// The next line without its end; nil when there will be none.
    func read() -> String?
  }

  private let program: String
  private let open: @Sendable () -> (any Line)?
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "waymark.permission")

  /// Prompts about `program` on the terminal of this process: `/dev/tty`, else standard error and
  /// standard input, if they are a terminal.
  ///
  /// Without a terminal the answer is ``PromptAnswer/unanswerable``, and `log` receives what to do.
  package init(
    program: String = ProgramName.current, log: @escaping @Sendable (String) -> Void,
    open: @escaping @Sendable () -> (any Line)? = { ControllingTerminal() }
  ) {
    self.program = program
    self.log = log
    self.open = open
  }

  /// Shows a prompt, and calls `reply` from the terminal's thread.
  func ask(_ prompt: Prompt, _ reply: @escaping @Sendable (PromptAnswer) -> Void) {
    queue.async { reply(answer(to: prompt)) }
  }

  /// How often a prompt is repeated after an invalid answer.
  private static let patience = 3

  private func answer(to prompt: Prompt) -> PromptAnswer {
    guard let terminal = open() else {
      log(
        "location access is denied to \(program), because there is no terminal to prompt the user; set "
          + "WAYMARK_PERMISSION, or the permission of a LocationService.Configuration, to allow, "
          + "whenInUse, always or a permission file")
      return .unanswerable
    }
    terminal.write(question(prompt))
    for _ in 0..<Self.patience {
      terminal.write(prompt.choices.map(\.words).joined(separator: ", ") + "? ")
      guard let line = terminal.read() else { return .declined }
      if let answer = prompt.choices.first(where: { $0.isMeant(by: line) }) { return answer }
    }
    return .declined
  }

  private func question(_ prompt: Prompt) -> String {
    let request =
      switch prompt.kind {
      case .whenInUse: "would like to know where this device is while it is in use"
      case .always: "would like to know where this device is, at any time"
      case .upgrade: "knows where this device is while it is in use, and would like to at any time"
      case .confirmation: "has used the location of this device in the background; may it continue?"
      case .fullAccuracy: "would like to know exactly where this device is, for now"
      }
    return "\n\(program.withoutControls) \(request):\n  \(Self.line(prompt.purpose))\n"
  }

  /// A purpose is the program's own text: it must not control the terminal.
  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").withoutControls
  }
}

extension PromptAnswer {
  /// As it is shown; the letter in brackets is enough.
  fileprivate var words: String {
    switch self {
    case .always: "[a]lways"
    case .whenInUse: "[w]hile in use"
    case .once: "[o]nce"
    case .denied: "[n]o"
    case .fullAccuracy: "[y]es"
    case .declined, .unanswerable: ""
    }
  }

  fileprivate func isMeant(by line: String) -> Bool {
    let word = line.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let whole = words.filter { $0 != "[" && $0 != "]" }
    return !word.isEmpty && !whole.isEmpty && (word == whole || word == whole.prefix(1))
  }
}
