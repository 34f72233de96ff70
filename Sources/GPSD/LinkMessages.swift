package import Receivers

/// Turns changes of a connection into a limited number of messages.
///
/// A gpsd that is unavailable for a month is reported once for each reason. A flapping connection is
/// limited to ``burst`` messages at once and one a minute after; the next message has the number of
/// suppressed ones.
package struct LinkMessages: Sendable {
  /// The most messages at once.
  package static let burst = 10
  /// The time after which one more message is allowed.
  package static let interval: Duration = .seconds(60)

  private let address: GPSDAddress
  private var allowance = LinkMessages.burst
  private var refilled: ContinuousClock.Instant?
  private var suppressed = 0
  /// The last loss reported; nil after a connection.
  private var lastLoss: LinkLoss?

  package init(_ address: GPSDAddress) {
    self.address = address
  }

  /// The message about a change; nil when the change is not new, or there were too many messages.
  package mutating func line(
    for status: LinkStatus, at now: ContinuousClock.Instant
  ) -> String? {
    guard let text = text(status) else { return nil }
    refill(at: now)
    guard allowance > 0 else {
      suppressed += 1
      return nil
    }
    allowance -= 1
    defer { suppressed = 0 }
    guard suppressed > 0 else { return text }
    return "\(text) (\(suppressed) message\(suppressed == 1 ? "" : "s") suppressed)"
  }

  private mutating func text(_ status: LinkStatus) -> String? {
    switch status {
    case .connecting(let attempt):
      return attempt == 1 && lastLoss == nil ? "connecting to \(address)" : nil
    case .connected(let version):
      lastLoss = nil
      return "connected to gpsd \(version.release) at \(address)"
    case .silent(_, hasReceiver: false):
      return
        "gpsd has no receiver: plug it in, or name it in DEVICES of /etc/default/gpsd (Debian) "
        + "and run: sudo systemctl restart gpsd; /dev/serial/by-id has the receivers on USB"
    case .silent(let duration, hasReceiver: true):
      return "silent: gpsd answers, but no receiver has reported for \(duration.tenths) s"
    case .reporting: return "the receiver reports again"
    case .notice(let notice): return notice.description
    case .lost(let loss, let retry):
      if loss == lastLoss { return nil }
      lastLoss = loss
      let next = retry.map { "; retrying in \($0.tenths) s" } ?? ""
      if loss == .noListener, address.isStandardLocal {
        return
          "nothing listens at \(address.host):\(address.port): is gpsd there? On Debian: sudo apt "
          + "install gpsd, then sudo systemctl enable --now gpsd.socket\(next)"
      }
      return "\(address) is unavailable: \(loss)\(next)"
    }
  }

  private mutating func refill(at now: ContinuousClock.Instant) {
    let since = refilled ?? now
    let count = min(max(0, (now - since) / Self.interval), Double(Self.burst))
    let whole = Int(count)
    allowance = min(Self.burst, allowance + whole)
    refilled = allowance == Self.burst ? now : since + Self.interval * whole
  }
}

extension Duration {
  /// Seconds with one decimal, without `.0`.
  fileprivate var tenths: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
