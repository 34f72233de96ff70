internal import GPSD

/// How a live source stands.
package enum LiveStatus: Sendable, Hashable {
  /// No gpsd has answered yet.
  case connecting
  /// gpsd answers; nothing was heard of a receiver yet.
  case connected
  /// The receiver has no position.
  case noFix
  /// Positions come, but none has a time, so that nothing can be said of them.
  case noTime
  /// Fixes come.
  case fix
  /// Nothing was heard of the receiver for a while, though gpsd is there.
  case stale
  /// gpsd is gone, for the reason given; it is tried again unless that is switched off.
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
    case .fix: "fix"
    case .stale: "stale"
    case .lost: "lost"
    case .stopped: "stopped"
    }
  }

  /// For people.
  package var sentence: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected, waiting for a receiver"
    case .noFix: "the receiver has no fix"
    case .noTime: "the receiver tells no time, without which positions say nothing"
    case .fix: "fix"
    case .stale: "nothing heard of the receiver"
    case .lost(let reason): "lost: \(reason)"
    case .stopped: "stopped"
    }
  }
}

/// Works out how the source stands from what is heard of it.
///
/// Time is given, no clock is read.
struct StatusBoard: Sendable {
  private(set) var status = LiveStatus.connecting
  private var lastHeard: ContinuousClock.Instant?
  private let patience: Duration

  /// So many positions without a time in a row are no accident: receivers begin with one or two.
  static let timelessLimit = 10

  /// A receiver that says nothing for as long as `link` would wait for an answer is stale.
  init(_ link: LinkOptions = LinkOptions()) {
    patience = link.silence + link.answerTimeout
  }

  /// gpsd answers.
  mutating func connected() {
    status = .connected
    lastHeard = nil
  }

  /// gpsd is gone.
  mutating func lost(_ reason: String) {
    status = .lost(reason)
    lastHeard = nil
  }

  /// The program ends.
  mutating func stop() {
    status = .stopped
  }

  /// The receiver was taken away; gpsd is still there.
  mutating func receiverGone() {
    if case .lost = status { return }
    connected()
  }

  /// gpsd is there, but no receiver has reported for long.
  mutating func fellSilent() {
    status = .stale
  }

  /// The receiver reported, with a position or without, `timeless` ones without a time in a row.
  mutating func heard(hasPosition: Bool, timeless: Int = 0, at now: ContinuousClock.Instant) {
    lastHeard = now
    guard hasPosition else { return status = .noFix }
    if timeless == 0 { status = .fix }
    if timeless >= Self.timelessLimit { status = .noTime }
  }

  /// When silence becomes staleness; nil when it is none.
  var nextDeadline: ContinuousClock.Instant? {
    switch status {
    case .fix, .noFix, .noTime: lastHeard.map { $0 + patience }
    default: nil
    }
  }

  /// Looks whether the silence has become too long.
  mutating func check(at now: ContinuousClock.Instant) {
    if let nextDeadline, now >= nextDeadline { status = .stale }
  }
}

/// Keeps lines about a status that flaps few: five at once, then one every ten seconds, and what
/// holds in the end is always told.
struct StatusTeller: Sendable {
  private var told: LiveStatus?
  /// Time that may be spent on lines.
  private var credit = StatusTeller.cost * 5
  private var counted: ContinuousClock.Instant?

  private static let cost = Duration.seconds(10)

  /// Whether a status is to be told now.
  mutating func tells(_ status: LiveStatus, at now: ContinuousClock.Instant) -> Bool {
    credit = min(Self.cost * 5, credit + (counted.map { now - $0 } ?? .zero))
    counted = now
    guard status != told, credit >= Self.cost else { return false }
    credit -= Self.cost
    told = status
    return true
  }

  /// Whether a status is another one than the one told last.
  func hasMore(_ status: LiveStatus) -> Bool { status != told }

  /// When to ask again about a status that may not be told yet.
  func nextDeadline(_ status: LiveStatus) -> ContinuousClock.Instant? {
    guard status != told, let counted else { return nil }
    return counted + max(.zero, Self.cost - credit)
  }
}
