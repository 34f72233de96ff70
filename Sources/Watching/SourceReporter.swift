internal import GPSD
internal import Receivers
internal import Text
internal import Tracking

/// The status of one source of a watch, and the messages about it.
struct SourceReporter {
  /// The release of the gpsd that answered; nil before one did.
  private(set) var peer: String?
  private var monitor: StatusMonitor
  private var limiter = StatusLimiter()
  private var messages: LinkMessages
  /// What begins each message: the device, when there are several sources.
  private let prefix: String
  /// Position reports received.
  private var reports = 0
  /// Whether gpsd last reported a receiver.
  private var hadReceiver = false

  init(_ source: WatchedSource, _ link: LinkOptions, isAlone: Bool) {
    prefix = isAlone ? "" : "\(source.device): "
    messages = LinkMessages(source.address)
    monitor = StatusMonitor(link)
  }

  var status: SourceStatus { monitor.status }

  /// Whether the status differs from the last one in a message.
  var hasMore: Bool { limiter.hasMore(status) }

  /// When something is due without news of the source; nil for never.
  var nextDeadline: ContinuousClock.Instant? {
    [monitor.nextDeadline, limiter.nextDeadline(status)].compactMap { $0 }.min()
  }

  /// Takes a change of the connection; returns the message about it, if there is one.
  mutating func take(_ status: LinkStatus, at now: ContinuousClock.Instant) -> String? {
    switch status {
    case .connected(let version):
      peer = "gpsd \(version.release)"
      monitor.connected()
    case .silent: monitor.fellSilent()
    case .lost(let reason, _): monitor.lost(reason.description)
    case .connecting, .reporting, .notice: break
    }
    return messages.line(for: status, at: now).map { prefix + $0 }
  }

  mutating func hear(
    _ receiver: ReceiverState, ignored: String?, at now: ContinuousClock.Instant
  ) {
    if receiver.reports != reports {
      reports = receiver.reports
      monitor.heard(receiver, ignored: ignored, at: now)
    }
    if hadReceiver, receiver.isAttached == false { monitor.receiverGone() }
    hadReceiver = receiver.isAttached ?? hadReceiver
  }

  /// Checks whether the silence is too long.
  mutating func check(at now: ContinuousClock.Instant) { monitor.check(at: now) }

  /// The program ends.
  mutating func stop() { monitor.stop() }

  /// A message about the status; nil when it is not new, or there were too many.
  mutating func statusLine(_ session: LiveSession, at now: ContinuousClock.Instant) -> String? {
    guard limiter.shouldReport(status, at: now) else { return nil }
    switch status {
    case .fix, .noFix, .noTime, .ignoring, .stale:
      return prefix + status.sentence + Self.detail(status, session)
    case .connected where session.receiver.isAttached == false && session.receiver.reports > 0:
      return prefix + "the receiver was removed"
    // The messages about the link report these.
    case .connecting, .connected, .lost, .stopped: return nil
    }
  }

  private static func detail(_ status: SourceStatus, _ session: LiveSession) -> String {
    guard case .fix = status, let fix = session.lastFix else { return "" }
    var parts: [String] = []
    if let time = fix.time { parts.append(Readable.time(time)) }
    if let accuracy = fix.horizontalAccuracy { parts.append("± \(Readable.length(accuracy))") }
    if let used = session.receiver.satellitesUsed { parts.append("\(used) satellites") }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }
}
