/// Whether a deadline of the engine may pass although no fix came.
///
/// Only when nothing that gpsd said can still be under way: it has answered a question, or there
/// is no connection to it.
package struct DeadlineCheck: Sendable {
  /// What is to be done.
  package enum Step: Sendable, Hashable {
    case wait
    /// Ask gpsd for an answer (``GPSDClient/ask(now:)``); when it comes, time may pass.
    case ask
    /// Let time pass.
    case pass
  }

  private var isLost = true
  /// When to look again, as gpsd was asked and may not answer.
  private var next: ContinuousClock.Instant?
  private let patience: Duration

  /// A check of a link with these options, before its first connection.
  package init(_ options: LinkOptions) {
    patience = options.answerTimeout
  }

  /// Takes note of what became of the connection.
  package mutating func take(_ status: LinkStatus) {
    switch status {
    case .connected: isLost = false
    case .lost: (isLost, next) = (true, nil)
    case .connecting, .silent, .reporting, .notice: break
    }
  }

  /// Takes note of gpsd's answer: time may pass now.
  package mutating func takeAnswer() { next = nil }

  /// When to look at a deadline that is `due` then.
  package func deadline(_ due: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
    guard let due, let next else { return due }
    return max(due, next)
  }

  /// What to do about a deadline that is `due` then.
  package mutating func step(
    due: ContinuousClock.Instant?, at now: ContinuousClock.Instant
  ) -> Step {
    guard let deadline = deadline(due), now >= deadline else { return .wait }
    guard !isLost else { return .pass }
    next = now + patience
    return .ask
  }
}
