internal import NIOCore
internal import Tracking

/// Sends what a source plays to every client that watches.
///
/// It is used on one event loop only.
final class FeedHub: ServerHub {
  let limits: FeedLimits
  private(set) var registry: DeviceRegistry
  private(set) var tally = FeedTally()

  private let loop: any EventLoop
  private let warn: @Sendable (String) -> Void
  private var clients: [ObjectIdentifier: ClientHandler] = [:]
  private let watched: EventLoopPromise<Void>
  private let ended: EventLoopPromise<Void>
  /// Set while the next items wait for a slow client.
  private var drained: EventLoopPromise<Void>?
  private var isFinishing = false
  private var isStopped = false
  private var stallTimer: RepeatedTask?
  private var silenceTimer: RepeatedTask?
  private var text: [UInt8] = []

  /// Checks in a row without progress after which a client has stalled.
  private static let checksUntilStalled = 4

  init(
    _ loop: any EventLoop, registry: DeviceRegistry, limits: FeedLimits,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.loop = loop
    self.limits = limits
    self.warn = warn
    self.registry = registry
    tally.devices = registry.devices.count
    watched = loop.makePromise()
    ended = loop.makePromise()
    if !limits.isPaced { startStallTimer() }
    startSilenceTimer()
  }

  /// Succeeds when the first client watches.
  var firstWatcher: EventLoopFuture<Void> { watched.futureResult }

  // MARK: Clients

  /// Adds a client; false when there are too many.
  func add(_ client: ClientHandler) -> Bool {
    guard clients.count < limits.clients, !isFinishing else {
      tally.refused += 1
      return false
    }
    tally.clients += 1
    clients[ObjectIdentifier(client)] = client
    return true
  }

  func remove(_ client: ClientHandler) {
    guard clients.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
    resumeIfDrained()
    if isFinishing, clients.isEmpty { end() }
  }

  func noteWatcher() {
    tally.watchers += 1
    watched.succeed()
  }

  func noteOversized(_ client: ClientHandler) {
    tally.oversized += 1
    warn("client \(client.name) sent a request of more than \(RequestReader.longest) bytes; closed")
  }

  private func drop(_ client: ClientHandler, _ reason: String) {
    tally.slow += 1
    warn("client \(client.name) \(reason); dropped")
    client.drop()
  }

  // MARK: Items

  /// Sends items to all clients that watch; the future succeeds when the next batch may come.
  func publish(_ batch: FeedBatch) -> EventLoopFuture<Void> {
    guard !isStopped else { return loop.makeFailedFuture(ServingError.stopped) }
    batch.newDevices.forEach { registry.add($0) }
    send(batch)
    count(batch)
    if batch.items.last == .disconnect {
      for client in clients.values { client.finish() }
    }
    if limits.isPaced {
      for client in clients.values where !client.isWritable {
        drop(client, "is \(limits.backlog >> 20) MiB behind")
      }
      return loop.makeSucceededVoidFuture()
    }
    let promise = loop.makePromise(of: Void.self)
    drained = promise
    resumeIfDrained()
    return promise.futureResult
  }

  private func send(_ batch: FeedBatch) {
    var texts: [ReportFormat: ByteBuffer] = [:]
    for client in clients.values {
      guard let format = client.format else { continue }
      if texts[format] == nil {
        text.removeAll(keepingCapacity: true)
        batch.append(format, from: registry, to: &text)
        texts[format] = ByteBuffer(bytes: text)
      }
      if let text = texts[format], text.readableBytes > 0 { client.send(text) }
    }
  }

  private func count(_ batch: FeedBatch) {
    tally.devices = registry.devices.count
    for item in batch.items {
      switch item {
      case .fix(let served):
        registry.note(served)
        tally.fixes += 1
        if !served.fix.hasPosition { tally.withoutPosition += 1 }
        if served.fix.time == nil { tally.timeless += 1 }
      case .line(let line):
        registry.note(line)
        tally.lines += 1
      case .junk(let bytes): tally.junk += bytes.count
      case .disconnect: tally.disconnects += 1
      }
    }
  }

  /// Lets the next batch come when no watching client has a full queue.
  func resumeIfDrained() {
    guard let promise = drained, clients.values.allSatisfy({ $0.format == nil || $0.isWritable })
    else { return }
    drained = nil
    promise.succeed()
  }

  private func startStallTimer() {
    let interval = TimeAmount(limits.stall / Self.checksUntilStalled)
    let hub = NIOLoopBound(self, eventLoop: loop)
    stallTimer = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      hub.value.dropStalled()
    }
  }

  /// Otherwise clients that ask for nothing could lock out all others.
  private func startSilenceTimer() {
    let interval = TimeAmount(limits.silence / Self.checksUntilStalled)
    let hub = NIOLoopBound(self, eventLoop: loop)
    silenceTimer = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      hub.value.dropSilent()
    }
  }

  private func dropSilent() {
    for client in clients.values where client.isSilent(after: Self.checksUntilStalled) {
      tally.silent += 1
      client.drop()
    }
  }

  private func dropStalled() {
    for client in clients.values where client.isStalled(after: Self.checksUntilStalled) {
      drop(client, "took nothing for \(limits.stall.components.seconds) s")
    }
  }

  // MARK: The end

  /// Sends every client the rest and closes; the future succeeds when all are closed.
  func finish() -> EventLoopFuture<Void> {
    isFinishing = true
    if stallTimer == nil { startStallTimer() }
    for client in clients.values { client.finish() }
    if clients.isEmpty { end() }
    return ended.futureResult
  }

  /// Closes every client at once.
  func stop() {
    isStopped = true
    isFinishing = true
    drained?.fail(ServingError.stopped)
    drained = nil
    for client in clients.values { client.drop() }
    end()
  }

  private func end() {
    stallTimer?.cancel()
    silenceTimer?.cancel()
    watched.fail(ServingError.stopped)
    ended.succeed()
  }
}
