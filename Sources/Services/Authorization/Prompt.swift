/// A question to the user; one is shown at a time.
package struct Prompt: Sendable, Hashable {
  /// What the user is asked for.
  package enum Kind: Sendable, Hashable {
    /// The location while the program is in use; nothing was decided before.
    case whenInUse
    /// The location at any time; nothing was decided before.
    case always
    /// The location at any time, for a program that has it while in use.
    case upgrade
    /// Whether a provisional "always" stays, asked with the first event in the background.
    case confirmation
    /// Full accuracy while the program is in use, for the purpose with this key.
    case fullAccuracy(key: String)
  }

  /// Identifies the prompt in the answer.
  package let number: Int
  package let kind: Kind
  /// The reason that the program gives.
  package let purpose: String
  /// The possible answers; the one that allows most is first.
  package let choices: [PromptAnswer]
}

/// The answer to a prompt.
package enum PromptAnswer: String, Sendable, Hashable, CaseIterable {
  case always
  case whenInUse
  /// Until the program is no longer in use.
  case once
  case denied
  /// Full accuracy, until the program is no longer in use.
  case fullAccuracy
  /// The prompt was dismissed: nothing is decided.
  case declined
  /// There is nobody to prompt: refused while this process runs, and nothing is decided.
  case unanswerable
}
