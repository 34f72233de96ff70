internal import Traces

/// Puts the changes of a connection into lines for a person or a log, not too many of them.
///
/// A gpsd that is away for a month is told once with each reason, and a connection that comes and
/// goes by at most ``burst`` lines at once and one a minute after; how many were left out stands in
/// the next line.
package struct LinkMessages: Sendable {
  /// Lines that may come together.
  package static let burst = 10
  /// After so long one more line is allowed.
  package static let interval: Duration = .seconds(60)

  private let address: GPSDAddress
  private var allowance = LinkMessages.burst
  private var refilled: ContinuousClock.Instant?
  private var leftOut = 0
  /// The loss told last; nil when there was a connection since.
  private var lastLoss: LinkLoss?

  package init(_ address: GPSDAddress) {
    self.address = address
  }

  /// The line for a change; nil when there is nothing new in it, or there were too many.
  package mutating func line(
    for status: LinkStatus, at now: ContinuousClock.Instant
  ) -> String? {
    guard let text = text(status) else { return nil }
    refill(at: now)
    guard allowance > 0 else {
      leftOut += 1
      return nil
    }
    allowance -= 1
    defer { leftOut = 0 }
    return leftOut == 0 ? text : "\(text) (\(leftOut) lines left out)"
  }

  private mutating func text(_ status: LinkStatus) -> String? {
    switch status {
    case .connecting(let attempt):
      return attempt == 1 && lastLoss == nil ? "connecting to \(address)" : nil
    case .connected(let version):
      lastLoss = nil
      return "connected to gpsd \(version.release) at \(address)"
    case .silent(let duration):
      return "silent: gpsd answers, but no receiver has reported for \(duration.tenths) s"
    case .reporting: return "the receiver reports again"
    case .notice(let notice): return notice.description
    case .lost(let loss, let retry):
      if loss == lastLoss { return nil }
      lastLoss = loss
      let next = retry.map { "; next try in \($0.tenths) s" } ?? ""
      return "lost \(address): \(loss)\(next)"
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
