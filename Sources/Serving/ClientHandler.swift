internal import NIOCore

/// One client's connection: feeds ``ClientState`` and carries its answers and reports out.
///
/// It lives on the hub's event loop and is touched nowhere else.
final class ClientHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let hub: FeedHub
  private let channel: any Channel
  private var state = ClientState()
  /// The socket is to be read as soon as what was read before is answered.
  private var readIsDue = false
  private var hasWatched = false
  /// Bytes given to the channel so far.
  private var written = 0
  /// How much had left the channel at the last look, and for how many looks nothing has since.
  private var leftBefore = 0
  private var idleLooks = 0

  init(_ hub: FeedHub, _ channel: any Channel) {
    self.hub = hub
    self.channel = channel
  }

  /// For messages.
  var name: String { channel.remoteAddress.map { "\($0.ipAddress ?? "?"):\($0.port ?? 0)" } ?? "?" }
  var isWritable: Bool { channel.isWritable }
  var flavour: Flavour? { state.policy.flavour(on: hub.board) }

  // MARK: The channel's events

  func channelActive(context: ChannelHandlerContext) {
    guard hub.add(self) else {
      write(Array("{\"class\":\"ERROR\",\"message\":\"too many clients\"}\r\n".utf8))
      finish()
      return
    }
    write(Array(Board.version.utf8))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    state.take(unwrapInboundIn(data).readableBytesView)
    answer()
  }

  /// A client that does not take its answers is not asked for more questions.
  func read(context: ChannelHandlerContext) {
    if channel.isWritable, !state.isHopeless { context.read() } else { readIsDue = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard channel.isWritable else { return }
    answer()
    if readIsDue, channel.isWritable, !state.isHopeless {
      readIsDue = false
      context.read()
    }
    hub.noteRoom()
  }

  func channelInactive(context: ChannelHandlerContext) {
    hub.remove(self)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func answer() {
    var buffer: [UInt8] = []
    while channel.isWritable, state.answer(on: hub.board, to: &buffer) {
      write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    if state.policy.isEnabled, !hasWatched {
      hasWatched = true
      hub.noteWatcher()
    }
    if state.isHopeless {
      hub.noteHopeless(self)
      finish()
    }
  }

  // MARK: What the hub does with it

  private func write(_ bytes: [UInt8]) {
    send(channel.allocator.buffer(bytes: bytes))
  }

  func send(_ bytes: ByteBuffer) {
    written += bytes.readableBytes
    channel.writeAndFlush(bytes, promise: nil)
  }

  /// Whether nothing has left the channel for so many looks, though there was something to leave.
  func isStuck(after looks: Int) -> Bool {
    let waiting = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let left = written - waiting
    idleLooks = waiting > 0 && left == leftBefore ? idleLooks + 1 : 0
    leftBefore = left
    return idleLooks >= looks
  }

  /// Closes when everything has left, and the client has had time to read it.
  func finish() {
    let closed = channel.eventLoop.makePromise(of: Void.self)
    closed.futureResult.assumeIsolated().whenComplete {
      [channel, linger = TimeAmount(hub.limits.linger)] _ in
      channel.eventLoop.assumeIsolated().scheduleTask(in: linger) { channel.close(promise: nil) }
    }
    // Closing at once would reset the connection, and what is on its way would be lost.
    channel.close(mode: .output, promise: closed)
  }

  func drop() {
    channel.close(promise: nil)
  }
}
