internal import GPSD
internal import Receivers

/// The status of a live source.
package enum SourceStatus: Sendable, Hashable {
  /// No gpsd has answered yet.
  case connecting
  /// gpsd answers; no receiver has reported yet.
  case connected
  /// The receiver has no position.
  case noFix
  /// Positions come without a time, so the engine cannot use them.
  case noTime
  /// Positions come that the engine does not use, for the reason given.
  case ignoring(String)
  /// Fixes come.
  case fix
  /// gpsd answers, but the receiver has been silent for a while.
  case stale
  /// The connection is lost, for the reason given; it is retried unless that is off.
  case lost(String)
  /// The program has ended.
  case stopped

  /// One word for programs.
  package var word: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected"
    case .noFix: "no-fix"
    case .noTime: "no-time"
    case .ignoring: "ignoring"
    case .fix: "fix"
    case .stale: "stale"
    case .lost: "lost"
    case .stopped: "stopped"
    }
  }

  /// Why there is no fix, in words; nil when the status says it all.
  package var reason: String? {
    switch self {
    case .lost(let reason), .ignoring(let reason): reason
    case .connecting, .connected, .noFix, .noTime, .fix, .stale, .stopped: nil
    }
  }

  /// For people.
  package var sentence: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected, waiting for a receiver"
    case .noFix: "the receiver has no fix"
    case .noTime: "the receiver reports no time, so its positions cannot be used"
    case .ignoring(let reason): "ignoring fixes: \(reason)"
    case .fix: "fix"
    case .stale: "no data from the receiver"
    case .lost(let reason): "gpsd is unavailable: \(reason)"
    case .stopped: "stopped"
    }
  }
}

/// Derives the status of a source from what it reports.
///
/// The caller passes the time; no clock is read.
struct StatusMonitor: Sendable {
  private(set) var status = SourceStatus.connecting
  private var lastHeard: ContinuousClock.Instant?
  private let patience: Duration

  /// Positions without a time in a row that change the status; receivers begin with one or two.
  static let timelessLimit = 10
  /// The same for reports that should have a position; gpsd may report an instant in parts.
  static let emptyLimit = 3

  /// A receiver is stale after the silence and the answer time-out of `link`.
  init(_ link: LinkOptions = LinkOptions()) {
    patience = link.silence + link.answerTimeout
  }

  /// gpsd answers.
  mutating func connected() {
    status = .connected
    lastHeard = nil
  }

  /// The connection is lost.
  mutating func lost(_ reason: String) {
    status = .lost(reason)
    lastHeard = nil
  }

  /// The program ends.
  mutating func stop() {
    status = .stopped
  }

  /// The receiver was removed; gpsd still answers.
  mutating func receiverGone() {
    if case .lost = status { return }
    connected()
  }

  /// gpsd answers, but no receiver has reported for long.
  mutating func fellSilent() {
    status = .stale
  }

  /// The receiver reported.
  ///
  /// - Parameter ignored: Why the engine does not use its positions; nil when it does.
  mutating func heard(
    _ receiver: ReceiverState, ignored: String? = nil, at now: ContinuousClock.Instant
  ) {
    lastHeard = now
    if receiver.mode < 2 || receiver.empty >= Self.emptyLimit { return status = .noFix }
    guard receiver.empty == 0 else {
      if status != .fix { status = .noFix }
      return
    }
    if receiver.timeless == 0 { status = ignored.map { .ignoring($0) } ?? .fix }
    if receiver.timeless >= Self.timelessLimit { status = .noTime }
  }

  /// When silence makes the source stale; nil when it cannot.
  var nextDeadline: ContinuousClock.Instant? {
    switch status {
    case .fix, .noFix, .noTime, .ignoring: lastHeard.map { $0 + patience }
    default: nil
    }
  }

  /// Checks whether the silence is too long.
  mutating func check(at now: ContinuousClock.Instant) {
    if let nextDeadline, now >= nextDeadline { status = .stale }
  }
}

/// Limits the messages about a flapping status: five at once, then one every ten seconds.
///
/// The final status is always reported.
struct StatusLimiter: Sendable {
  private var reported: SourceStatus?
  /// Time credit for messages.
  private var credit = StatusLimiter.cost * 5
  private var counted: ContinuousClock.Instant?

  private static let cost = Duration.seconds(10)

  /// Whether to report a status now.
  mutating func shouldReport(_ status: SourceStatus, at now: ContinuousClock.Instant) -> Bool {
    credit = min(Self.cost * 5, credit + (counted.map { now - $0 } ?? .zero))
    counted = now
    guard status != reported, credit >= Self.cost else { return false }
    credit -= Self.cost
    reported = status
    return true
  }

  /// Whether a status differs from the last one reported.
  func hasMore(_ status: SourceStatus) -> Bool { status != reported }

  /// When a status that is held back may be reported.
  func nextDeadline(_ status: SourceStatus) -> ContinuousClock.Instant? {
    guard status != reported, let counted else { return nil }
    return counted + max(.zero, Self.cost - credit)
  }
}
