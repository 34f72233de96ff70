package import Receivers

/// The status of a connection to gpsd: one value for each change.
package enum LinkStatus: Sendable, Hashable {
  /// Connecting; attempts are counted from 1 since the last good connection.
  case connecting(attempt: Int)
  /// gpsd has sent its greeting and confirmed the subscription.
  case connected(GPSDVersion)
  /// gpsd answers, but no receiver has reported for this long, or there is none.
  case silent(for: Duration, hasReceiver: Bool)
  /// Reports resumed after a silence.
  case reporting
  /// The connection failed or was lost; `retry` is the wait before the next attempt, nil for no more
  /// attempts.
  case lost(LinkLoss, retry: Duration?)
  /// A notice for the user; the connection stays open.
  case notice(LinkNotice)
}

/// Why there is no connection.
package enum LinkLoss: Sendable, Hashable, CustomStringConvertible {
  /// The host name could not be resolved; the system's error.
  case unknownHost(String)
  /// None of the addresses accepted the connection; the system's error for the last one.
  case refused(String)
  /// The host answers, but no program listens at the port.
  case noListener
  /// A step took too long.
  case timeout(Step)
  /// The server is not a gpsd; its output.
  case notGPSD(String)
  /// gpsd rejected the subscription; its message.
  case denied(String)
  /// gpsd closed the connection.
  case closed
  /// The connection failed; the system's error.
  case broken(String)
  /// This many bytes were received without a report.
  case junk(bytes: Int)

  /// The step that took too long.
  package enum Step: Sendable, Hashable {
    case resolving, connecting, greeting, subscribing, answering
  }

  /// Whether the host was there, so that gpsd may be back at any moment.
  var isHostThere: Bool {
    switch self {
    case .noListener, .closed, .notGPSD, .denied, .junk: true
    case .timeout(let step): step == .greeting || step == .subscribing || step == .answering
    case .unknownHost, .refused, .broken: false
    }
  }

  package var description: String {
    switch self {
    case .unknownHost(let reason): "unknown host: \(reason)"
    case .refused(let reason): reason
    case .noListener: "connection refused"
    case .timeout(.resolving): "resolving the host name timed out"
    case .timeout(.connecting): "connecting timed out"
    case .timeout(.greeting): "timed out waiting for gpsd's greeting"
    case .timeout(.subscribing): "timed out waiting for gpsd's answer to ?WATCH"
    case .timeout(.answering): "gpsd does not answer"
    case .notGPSD(let found): "received \(found) instead of gpsd's greeting"
    case .denied(let message): "gpsd rejected the request: \(message)"
    case .closed: "gpsd closed the connection"
    case .broken(let reason): "the connection failed: \(reason)"
    case .junk(let bytes): "\(bytes) bytes received without a report"
    }
  }
}

/// A notice for the user about an open connection.
package enum LinkNotice: Sendable, Hashable, CustomStringConvertible {
  /// gpsd uses another version of the protocol.
  case strangeProtocol(GPSDVersion)
  /// gpsd reported an error; its message.
  case error(String)
  /// A line longer than the limit was skipped.
  case overlongLine(limit: Int)
  /// A line that only recordings have was dropped.
  case ownLine

  package var description: String {
    switch self {
    case .strangeProtocol(let version):
      "gpsd \(version.release) speaks protocol \(version.major).\(version.minor), expected "
        + "3; unknown parts of its reports are ignored"
    case .error(let message): "gpsd error: \(message)"
    case .overlongLine(let limit): "skipped a line longer than \(limit) bytes"
    case .ownLine:
      "dropped a line of class WAYMARK: gpsd sends none, only recordings have them"
    }
  }
}
