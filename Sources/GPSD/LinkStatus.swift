package import Traces

/// How a connection to gpsd stands: one value for each change.
package enum LinkStatus: Sendable, Hashable {
  /// The first try is 1; each one since the last good connection is one more.
  case connecting(attempt: Int)
  /// gpsd has greeted us and agreed to report.
  case connected(GPSDVersion)
  /// gpsd answers, but no receiver has reported for so long.
  case silent(for: Duration)
  /// Reports come again after a silence.
  case reporting
  /// The connection failed or was lost; `retry` is the wait before the next try, nil when there
  /// is none.
  case lost(LinkLoss, retry: Duration?)
  /// Something that the user should know, though the connection stands.
  case notice(LinkNotice)
}

/// Why there is no connection.
package enum LinkLoss: Sendable, Hashable, CustomStringConvertible {
  /// The name of the host means nothing; the system's words.
  case unknownHost(String)
  /// None of the addresses took the connection; the system's words about the last one.
  case refused(String)
  /// Nothing came of it in time.
  case timeout(Step)
  /// Who listens there is no gpsd; what it said.
  case notGPSD(String)
  /// gpsd refused to report; its words.
  case denied(String)
  /// gpsd ended the connection.
  case closed
  /// The connection broke; the system's words.
  case broken(String)
  /// So many bytes came without one report among them.
  case junk(bytes: Int)

  /// What took too long.
  package enum Step: Sendable, Hashable {
    case resolving, connecting, greeting, subscribing, answering
  }

  package var description: String {
    switch self {
    case .unknownHost(let reason): "the host is not known: \(reason)"
    case .refused(let reason): "no connection: \(reason)"
    case .timeout(.resolving): "the host's name was not resolved in time"
    case .timeout(.connecting): "no connection in time"
    case .timeout(.greeting): "connected, but gpsd did not greet in time"
    case .timeout(.subscribing): "gpsd did not answer ?WATCH in time"
    case .timeout(.answering): "gpsd has fallen silent and does not answer"
    case .notGPSD(let found): "found \(found), expected the greeting of a gpsd"
    case .denied(let message): "gpsd refused to report: \(message)"
    case .closed: "gpsd closed the connection"
    case .broken(let reason): "the connection broke: \(reason)"
    case .junk(let bytes): "\(bytes) bytes came without one report among them"
    }
  }
}

/// What the user should know though the connection stands.
package enum LinkNotice: Sendable, Hashable, CustomStringConvertible {
  /// gpsd speaks another protocol than the one that is known.
  case strangeProtocol(GPSDVersion)
  /// gpsd did not understand something; its words.
  case error(String)
  /// A line was longer than the limit, and passed over.
  case overlongLine(limit: Int)

  package var description: String {
    switch self {
    case .strangeProtocol(let version):
      "gpsd \(version.release) speaks protocol \(version.major).\(version.minor), expected "
        + "\(Link.protocolMajor); its reports are read as far as they are understood"
    case .error(let message): "gpsd says: \(message)"
    case .overlongLine(let limit): "a line of more than \(limit) bytes was passed over"
    }
  }
}
