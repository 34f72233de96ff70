internal import Glibc
internal import NIOCore

/// What a connection still has to send.
enum SystemQueue {
  /// Bytes that wait for the client, here and in the system, until it acknowledges them.
  ///
  /// It is called on the channel's event loop.
  static func unsent(of channel: any Channel) -> Int {
    let waiting = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
    let queued = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { socket in
      var count: CInt = 0
      // Of a socket it is SIOCOUTQ of tcp(7).
      return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }
    return (waiting ?? 0) + (queued ?? 0)
  }
}
