/// Why something with a broker failed.
enum MQTTFailure: Error, Hashable {
  /// There is no connection, or no answer.
  case unreachable(String)
  /// The broker, or libmosquitto, refuses what it got.
  case refused(String)
  /// The broker passed on a message that libmosquitto does not read.
  case unreadable(String)
  /// The store cannot be read now.
  case store(String)
  /// The run ends.
  case stopped

  var outcome: DeliveryOutcome {
    switch self {
    case .unreachable(let reason), .store(let reason): .unreachable(reason: reason)
    case .refused(let reason), .unreadable(let reason): .failed(reason: reason)
    case .stopped: .stopped
    }
  }

  var reason: String {
    switch self {
    case .unreachable(let reason), .refused(let reason), .unreadable(let reason),
      .store(let reason):
      reason
    case .stopped: "the run ends"
    }
  }

  /// The failure that a reason code of CONNACK or DISCONNECT stands for.
  static func reason(_ code: Int32, _ text: String) -> MQTTFailure {
    isPassing(code) ? .unreachable(text) : .refused(text)
  }

  /// Whether a reason is about the state of the server, not about what it was sent.
  ///
  /// MQTT 3.1.1 §3.2.2.3 has the first, MQTT 5 §2.4 the others: server unavailable, busy, shutting
  /// down, keep-alive time-out, session taken over, administrative action, connection rate exceeded.
  private static func isPassing(_ code: Int32) -> Bool {
    [3, 0x88, 0x89, 0x8B, 0x8D, 0x8E, 0x98, 0x9F].contains(code)
  }
}
