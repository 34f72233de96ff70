/// Decides whether an open connection is still alive.
struct LinkWatchdog: Sendable {
  /// The time of the last line that was not junk.
  private var lastLine: ContinuousClock.Instant
  private var lastReport: ContinuousClock.Instant
  /// Whether a receiver has reported.
  private(set) var hasReported = false
  /// The start of the silence that leads to a query.
  private var quietSince: ContinuousClock.Instant
  /// The time of the pending query; nil when there is none.
  private var queried: ContinuousClock.Instant?
  private var isSilent = false

  init(since now: ContinuousClock.Instant) {
    lastLine = now
    lastReport = now
    quietSince = now
  }

  /// Whether a query is pending.
  var isAwaitingAnswer: Bool { queried != nil }

  /// When to query gpsd; while a query is pending, when to close the connection.
  func deadline(_ options: LinkOptions) -> ContinuousClock.Instant {
    guard let queried else { return quietSince + options.silence }
    return max(queried, lastLine) + options.answerTimeout
  }

  /// Notes a query; false when one is already pending.
  mutating func query(at now: ContinuousClock.Instant) -> Bool {
    guard queried == nil else { return false }
    queried = now
    return true
  }

  /// Notes a report; true when it ends a reported silence.
  mutating func reported(at now: ContinuousClock.Instant) -> Bool {
    (lastLine, lastReport, quietSince) = (now, now, now)
    hasReported = true
    defer { isSilent = false }
    return isSilent
  }

  /// Notes an answer to ?DEVICES.
  ///
  /// - Returns: Whether it answers a query, and the length of the receivers' silence, once for each
  ///   silence.
  mutating func answered(
    at now: ContinuousClock.Instant, silence: Duration
  ) -> (isWanted: Bool, silence: Duration?) {
    let isWanted = queried != nil
    (lastLine, quietSince, queried) = (now, now, nil)
    guard !isSilent, now - lastReport >= silence else { return (isWanted, nil) }
    isSilent = true
    return (isWanted, now - lastReport)
  }

  /// Notes any other line.
  mutating func lived(at now: ContinuousClock.Instant) { lastLine = now }
}
