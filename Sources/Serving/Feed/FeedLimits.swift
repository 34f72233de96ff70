internal import NIOCore

/// How much of the server its clients may use.
package struct FeedLimits: Sendable {
  /// Whether a clock sets the pace; otherwise the slowest client does.
  package var isPaced = false
  /// Bytes that a client may be behind the clock before it is dropped: some hours of a fix a
  /// second.
  package var backlog = 4 << 20
  /// Bytes that may wait for a client without a clock before the other clients wait for it.
  package var queue = 256 << 10
  /// How long a client that others wait for may take nothing before it is dropped.
  package var stall = Duration.seconds(10)
  /// How long a client may take to close at the end, once everything is sent.
  package var linger = Duration.seconds(2)
  /// How long a client that does not watch may ask nothing before it is dropped.
  package var silence = Duration.seconds(60)
  /// Most clients at a time.
  package var clients = 256
  /// Send buffer of the system for a client, bytes (SO_SNDBUF).
  ///
  /// With a larger one a slow client would seem to take nothing for long and then much at once.
  package var systemQueue = 256 << 10

  package init() {}

  /// Most bytes read from a client at a time: a few requests.
  private static let readSize = 4_096

  var connections: ConnectionLimits {
    let high = isPaced ? backlog : queue
    return ConnectionLimits(
      systemQueue: systemQueue, waterMark: .init(low: high / 4, high: high),
      readSize: Self.readSize)
  }
}
