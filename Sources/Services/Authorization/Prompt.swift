/// A question to the user, of which one is up at a time.
package struct Prompt: Sendable, Hashable {
  /// What is asked for.
  package enum Kind: Sendable, Hashable {
    /// Places while the program is in use; nothing was decided before.
    case whenInUse
    /// Places at any time; nothing was decided before.
    case always
    /// Places at any time, as the program has them while it is in use already.
    case upgrade
    /// Whether a provisional "always" is meant, asked with the first event in the background.
    case confirmation
    /// Exact places while the program is in use, for the purpose with this key.
    case fullAccuracy(key: String)
  }

  /// Goes with the answer.
  package let number: Int
  package let kind: Kind
  /// Why the program wants it, in its own words.
  package let purpose: String
  /// What the user can choose, the most first.
  package let choices: [PromptAnswer]
}

/// What a user says to a prompt.
package enum PromptAnswer: String, Sendable, Hashable, CaseIterable {
  case always
  case whenInUse
  /// Until the program is no longer in use.
  case once
  case denied
  /// Exact places, until the program is no longer in use.
  case fullAccuracy
  /// The prompt was put away: nothing is decided.
  case declined
  /// There is nobody to ask: refused as long as this program runs, and nothing is decided.
  case unanswerable
}
