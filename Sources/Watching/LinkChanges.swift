internal import GPSD
internal import Traces
internal import Tracking

/// The changes of a connection that gpsd's lines do not show.
struct LinkChanges: Sendable {
  private var isLost = false

  /// The change that a status means; nil when it is none, or was reported.
  ///
  /// - Parameter time: The engine's time; nil when no fix has come yet.
  mutating func change(for status: LinkStatus, at time: Timestamp?) -> SourceChange? {
    switch status {
    case .lost(let loss, _):
      guard !isLost else { return nil }
      isLost = true
      return SourceChange(.lost, time: time, reason: loss.description)
    case .connected:
      defer { isLost = false }
      return isLost ? SourceChange(.connected, time: time) : nil
    case .silent(_, let hasReceiver):
      let reason = hasReceiver ? "the receiver is silent" : "gpsd has no receiver"
      return SourceChange(.stale, time: time, reason: reason)
    case .connecting, .reporting, .notice: return nil
    }
  }
}
