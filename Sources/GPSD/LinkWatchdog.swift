/// Whether a connection that reports is still alive.
struct LinkWatchdog: Sendable {
  private let began: ContinuousClock.Instant
  /// The last line that was no junk.
  private var lastLine: ContinuousClock.Instant
  private var lastReport: ContinuousClock.Instant
  /// From when on the silence counts that makes it ask.
  private var quietSince: ContinuousClock.Instant
  /// When gpsd was asked; nil when no answer is waited for.
  private var asked: ContinuousClock.Instant?
  private var isSilent = false

  init(since now: ContinuousClock.Instant) {
    began = now
    lastLine = now
    lastReport = now
    quietSince = now
  }

  /// Whether an answer is waited for.
  var isAsking: Bool { asked != nil }

  /// When gpsd is to be asked, or to be given up when it has been.
  func deadline(_ options: LinkOptions) -> ContinuousClock.Instant {
    guard let asked else { return quietSince + options.silence }
    return max(asked, lastLine) + options.answerTimeout
  }

  /// Whether reports have come for so long.
  func hasReported(for duration: Duration) -> Bool { lastReport - began >= duration }

  /// Notes a question; false when one is open already.
  mutating func ask(at now: ContinuousClock.Instant) -> Bool {
    guard asked == nil else { return false }
    asked = now
    return true
  }

  /// Notes a report; true when it ends a silence that was told.
  mutating func reported(at now: ContinuousClock.Instant) -> Bool {
    (lastLine, lastReport, quietSince) = (now, now, now)
    defer { isSilent = false }
    return isSilent
  }

  /// Notes an answer to ?DEVICES: whether it was asked for, and how long the receivers have been
  /// silent, once for each silence.
  mutating func answered(
    at now: ContinuousClock.Instant, silence: Duration
  ) -> (isWanted: Bool, silence: Duration?) {
    let isWanted = asked != nil
    (lastLine, quietSince, asked) = (now, now, nil)
    guard !isSilent, now - lastReport >= silence else { return (isWanted, nil) }
    isSilent = true
    return (isWanted, now - lastReport)
  }

  /// Notes a line that is neither.
  mutating func lived(at now: ContinuousClock.Instant) { lastLine = now }
}
