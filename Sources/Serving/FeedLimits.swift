internal import NIOCore

/// What clients may ask of a server.
package struct FeedLimits: Sendable {
  /// Whether fixes come at the pace of a clock; if not, the slowest client sets the pace.
  package var isPaced = false
  /// At the pace of a clock a client that is so many bytes behind is dropped: some hours of a fix
  /// a second.
  package var backlog = 4 << 20
  /// Without it, so many bytes wait for a client at most before the others wait for it.
  package var queue = 256 << 10
  /// A client that others wait for is dropped when it takes nothing for so long.
  package var stall = Duration.seconds(10)
  /// At the end a client has so long to close, once it has got everything.
  package var linger = Duration.seconds(2)
  /// Most clients at a time.
  package var clients = 256
  /// What the system may hold for a client, bytes (SO_SNDBUF): were it more, a slow client would
  /// seem to take nothing for long and then much at once.
  package var systemQueue = 256 << 10

  package init() {}

  var waterMark: ChannelOptions.Types.WriteBufferWaterMark {
    let high = isPaced ? backlog : queue
    return .init(low: high / 4, high: high)
  }
}
