internal import NIOCore
internal import Tracking

/// Where the fixes come in and go out to every client that watches.
///
/// It lives on one event loop and is touched nowhere else.
final class FeedHub {
  let limits: FeedLimits
  private(set) var board: Board
  private(set) var tally = FeedTally()

  private let loop: any EventLoop
  private let warn: @Sendable (String) -> Void
  private var clients: [ObjectIdentifier: ClientHandler] = [:]
  private let watched: EventLoopPromise<Void>
  private let ended: EventLoopPromise<Void>
  /// Kept while the fixes wait for a client.
  private var room: EventLoopPromise<Void>?
  private var isFinishing = false
  private var isStopped = false
  private var looks: RepeatedTask?
  private var text: [UInt8] = []

  /// A client is looked at so often before it is found to have stalled.
  private static let looksOfStall = 4

  init(
    _ loop: any EventLoop, devices: [ServedDevice], limits: FeedLimits,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.loop = loop
    self.limits = limits
    self.warn = warn
    board = Board(devices: devices)
    tally.devices = devices.count
    watched = loop.makePromise()
    ended = loop.makePromise()
    if !limits.isPaced { startLooking() }
  }

  /// Succeeds when the first client watches.
  var firstWatcher: EventLoopFuture<Void> { watched.futureResult }

  // MARK: Clients

  /// Takes a client in; false when there are too many.
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
    noteRoom()
    if isFinishing, clients.isEmpty { end() }
  }

  func noteWatcher() {
    tally.watchers += 1
    watched.succeed()
  }

  func noteHopeless(_ client: ClientHandler) {
    tally.hopeless += 1
    warn("client \(client.name) sent a request without an end; closed")
  }

  private func drop(_ client: ClientHandler, _ reason: String) {
    tally.slow += 1
    warn("client \(client.name) \(reason); dropped")
    client.drop()
  }

  // MARK: Fixes

  /// Sends fixes to all who watch; the future succeeds when there is room for more.
  func publish(_ batch: FeedBatch) -> EventLoopFuture<Void> {
    guard !isStopped else { return loop.makeFailedFuture(ServingError.stopped) }
    batch.newDevices.forEach { board.add($0) }
    send(batch)
    count(batch)
    if limits.isPaced {
      for client in clients.values where !client.isWritable {
        drop(client, "is \(limits.backlog >> 20) MiB behind")
      }
      return loop.makeSucceededVoidFuture()
    }
    let promise = loop.makePromise(of: Void.self)
    room = promise
    noteRoom()
    return promise.futureResult
  }

  private func send(_ batch: FeedBatch) {
    var texts: [Flavour: ByteBuffer] = [:]
    for client in clients.values {
      guard let flavour = client.flavour else { continue }
      if texts[flavour] == nil {
        text.removeAll(keepingCapacity: true)
        batch.append(flavour, on: board, to: &text)
        texts[flavour] = ByteBuffer(bytes: text)
      }
      if let text = texts[flavour], text.readableBytes > 0 { client.send(text) }
    }
  }

  private func count(_ batch: FeedBatch) {
    tally.devices = board.devices.count
    for served in batch.fixes {
      board.note(served)
      tally.fixes += 1
      if !served.fix.hasPosition { tally.withoutPosition += 1 }
      if served.fix.time == nil { tally.timeless += 1 }
    }
  }

  /// Lets the fixes go on when no client has too many of them before it.
  func noteRoom() {
    guard let promise = room, clients.values.allSatisfy({ $0.flavour == nil || $0.isWritable })
    else { return }
    room = nil
    promise.succeed()
  }

  private func startLooking() {
    let interval = TimeAmount(limits.stall / Self.looksOfStall)
    let hub = NIOLoopBound(self, eventLoop: loop)
    looks = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      hub.value.dropStuck()
    }
  }

  private func dropStuck() {
    for client in clients.values where client.isStuck(after: Self.looksOfStall) {
      drop(client, "took nothing for \(limits.stall.components.seconds) s")
    }
  }

  // MARK: The end

  /// Lets every client have what is left, and closes; the future succeeds when all are closed.
  func finish() -> EventLoopFuture<Void> {
    isFinishing = true
    if looks == nil { startLooking() }
    for client in clients.values { client.finish() }
    if clients.isEmpty { end() }
    return ended.futureResult
  }

  /// Closes every client now.
  func stop() {
    isStopped = true
    isFinishing = true
    room?.fail(ServingError.stopped)
    room = nil
    for client in clients.values { client.drop() }
    end()
  }

  private func end() {
    looks?.cancel()
    watched.fail(ServingError.stopped)
    ended.succeed()
  }
}
