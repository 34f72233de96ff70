internal import NIOCore

/// The connection of one client: passes requests to ``ClientState``, sends answers and reports.
///
/// It is used on the hub's event loop only.
final class ClientHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let hub: FeedHub
  private let channel: any Channel
  private var state: ClientState
  /// Whether it came through a socket that is a file.
  private let isLocal: Bool
  /// Whether the server is closing the connection.
  private var isFinished = false
  /// Whether a read was put off until earlier requests are answered.
  private var readIsDue = false
  private var hasWatched = false
  /// Bytes given to the channel so far.
  private var written = 0
  /// Bytes that had left the channel at the last check, and checks since then without progress.
  private var sentBefore = 0
  private var idleChecks = 0
  /// Whether it asked for something since the last check, and checks since then in which it did not.
  private var hasAsked = false
  private var silentChecks = 0

  init(_ hub: FeedHub, _ channel: any Channel) {
    self.hub = hub
    self.channel = channel
    if case .unixDomainSocket? = channel.localAddress { isLocal = true } else { isLocal = false }
    state = ClientState(policy: isLocal ? .sentences : ClientPolicy())
  }

  /// The client's address, for messages.
  var name: String {
    if isLocal { return "of the socket \(channel.localAddress?.pathname ?? "?")" }
    return channel.remoteAddress.map { "\($0.ipAddress ?? "?"):\($0.port ?? 0)" } ?? "?"
  }
  var isWritable: Bool { channel.isWritable }
  var format: ReportFormat? {
    isFinished ? nil : state.policy.format(from: hub.registry)
  }

  // MARK: The channel's events

  func channelActive(context: ChannelHandlerContext) {
    guard hub.add(self) else {
      write(Array("{\"class\":\"ERROR\",\"message\":\"too many clients\"}\r\n".utf8))
      finish()
      return
    }
    // A program that reads sentences at such a socket asks for nothing, and expects nothing else.
    if isLocal { noteWatching() } else { write(hub.registry.greeting) }
  }

  private func noteWatching() {
    guard state.policy.isEnabled, !hasWatched else { return }
    hasWatched = true
    hub.noteWatcher()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    state.take(unwrapInboundIn(data).readableBytesView)
    answer()
  }

  /// Reads no further requests while the client does not take its answers.
  func read(context: ChannelHandlerContext) {
    if channel.isWritable, !state.isOversized { context.read() } else { readIsDue = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard channel.isWritable else { return }
    answer()
    if readIsDue, channel.isWritable, !state.isOversized {
      readIsDue = false
      context.read()
    }
    hub.resumeIfDrained()
  }

  func channelInactive(context: ChannelHandlerContext) {
    hub.remove(self)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func answer() {
    var buffer: [UInt8] = []
    while channel.isWritable, state.answer(from: hub.registry, to: &buffer) {
      write(buffer)
      buffer.removeAll(keepingCapacity: true)
      hasAsked = true
    }
    noteWatching()
    if state.isOversized {
      hub.noteOversized(self)
      finish()
    }
  }

  // MARK: Calls of the hub

  private func write(_ bytes: [UInt8]) {
    send(channel.allocator.buffer(bytes: bytes))
  }

  func send(_ bytes: ByteBuffer) {
    written += bytes.readableBytes
    channel.writeAndFlush(bytes, promise: nil)
  }

  /// Whether bytes were waiting at this many checks in a row and none of them has left.
  func isStalled(after checks: Int) -> Bool {
    let waiting = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let sent = written - waiting
    idleChecks = waiting > 0 && sent == sentBefore ? idleChecks + 1 : 0
    sentBefore = sent
    return idleChecks >= checks
  }

  /// Whether at this many checks in a row it did not watch, and had asked for nothing since the one before.
  func isSilent(after checks: Int) -> Bool {
    let isUsed = hasAsked || (state.policy.isEnabled && !isFinished)
    silentChecks = isUsed ? 0 : silentChecks + 1
    hasAsked = false
    return silentChecks >= checks
  }

  /// Closes the connection once everything is sent and the client has had time to read it.
  func finish() {
    guard !isFinished else { return }
    isFinished = true
    let closed = channel.eventLoop.makePromise(of: Void.self)
    closed.futureResult.assumeIsolated().whenComplete {
      [channel, linger = TimeAmount(hub.limits.linger)] _ in
      channel.eventLoop.assumeIsolated().scheduleTask(in: linger) { channel.close(promise: nil) }
    }
    // Closing at once would reset the connection and lose bytes on their way.
    channel.close(mode: .output, promise: closed)
  }

  func drop() {
    channel.close(promise: nil)
  }
}
