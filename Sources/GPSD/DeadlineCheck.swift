/// Decides whether the engine may advance past a deadline without a fix.
///
/// It may only when no report of gpsd can still be on its way: gpsd has answered a query, or there is
/// no connection.
package struct DeadlineCheck: Sendable {
  /// The next action.
  package enum Step: Sendable, Hashable {
    case wait
    /// Query gpsd (``GPSDClient/query(now:)``); its answer allows the engine to advance.
    case query
    /// Advance the engine.
    case advance
  }

  private var isLost = true
  /// When to check again, in case gpsd does not answer the query.
  private var next: ContinuousClock.Instant?
  private let patience: Duration

  /// A check for a link with these options, before its first connection.
  package init(_ options: LinkOptions) {
    patience = options.answerTimeout
  }

  /// Processes a change of the connection.
  package mutating func take(_ status: LinkStatus) {
    switch status {
    case .connected: isLost = false
    case .lost: (isLost, next) = (true, nil)
    case .connecting, .silent, .reporting, .notice: break
    }
  }

  /// Processes gpsd's answer, which allows the engine to advance.
  package mutating func takeAnswer() { next = nil }

  /// When to check a deadline that is due at `due`.
  package func deadline(_ due: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
    guard let due, let next else { return due }
    return max(due, next)
  }

  /// What to do about a deadline that is due at `due`.
  package mutating func step(
    due: ContinuousClock.Instant?, at now: ContinuousClock.Instant
  ) -> Step {
    guard let deadline = deadline(due), now >= deadline else { return .wait }
    guard !isLost else { return .advance }
    next = now + patience
    return .query
  }
}
