internal import Glibc
package import System

/// A connection to gpsd: does what a ``Link`` decides.
///
/// It blocks nowhere and has no thread: the caller waits with ``Poller`` and calls ``turn`` when
/// something is ready or the deadline has come. The first turn begins to connect.
///
///     let client = GPSDClient(address)
///     var poller = Poller()
///     while !client.isOver {
///       poller.removeAll()
///       let slot = client.join(&poller)
///       poller.wait(until: client.deadline)
///       try client.turn(now: .now, ready: poller.ready(slot)) { event in … }
///     }
package final class GPSDClient {
  package let address: GPSDAddress
  private var link: Link
  private var resolver: Resolver
  private var addresses: [SocketAddress] = []
  private var connection = Connection.none
  private var unsent: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: GPSDClient.chunkSize)

  /// What one call reads at most: many reports, as they come in bursts after a pause.
  private static let chunkSize = 1 << 16
  /// What one turn reads at most, in chunks, so that signals and deadlines have their turn in a
  /// flood too.
  private static let chunksInTurn = 16

  private enum Connection {
    case none
    case opening(LinkSocket)
    case open(LinkSocket)
  }

  /// A client that has not begun.
  package init(_ address: GPSDAddress, options: LinkOptions = LinkOptions()) {
    self.address = address
    link = Link(
      device: address.device, options: options,
      seed: options.seed ?? UInt64.random(in: .min ... .max))
    resolver = Resolver(address)
  }

  /// Whether nothing will come any more: the connection failed or was lost and is not to be made
  /// anew, or the client was closed.
  package var isOver: Bool { link.isOver }

  /// When to call ``turn`` at the latest, nil for never.
  package var deadline: ContinuousClock.Instant? {
    link.hasOutputs ? .now : link.deadline(now: .now)
  }

  /// Takes a slot in the next wait of `poller`.
  package func join(_ poller: inout Poller) -> Int {
    switch connection {
    case .none: poller.add(resolver.descriptor, .read)
    case .opening(let socket): poller.add(socket.descriptor, .write)
    case .open(let socket):
      poller.add(socket.descriptor, unsent.isEmpty ? .read : [.read, .write])
    }
  }

  /// Does what is due, and hands out what happened, in order.
  ///
  /// `ready` is what the poller found. When `handle` throws, what was not handed out yet comes
  /// with the next turn.
  package func turn<Failure: Error>(
    now: ContinuousClock.Instant, ready: Poller.Readiness,
    _ handle: (LinkEvent) throws(Failure) -> Void
  ) throws(Failure) {
    try obey(at: now, handle)
    if !ready.isEmpty { try transfer(ready, at: now, handle) }
    link.handle(.wake, at: now)
    try obey(at: now, handle)
  }

  /// Asks gpsd for an answer (``LinkEvent/answered``), unless one is under way already or there is
  /// no connection that reports.
  package func ask(now: ContinuousClock.Instant) {
    link.handle(.ask, at: now)
  }

  /// Ends the connection; no event comes any more.
  package func close() {
    link.handle(.stop, at: .now)
    obey(at: .now) { _ in }
  }

  /// Bytes that wait for the rest of their line, or to be sent.
  var bufferedBytes: Int { link.bufferedBytes + unsent.count }

  // MARK: Input

  private func transfer<Failure: Error>(
    _ ready: Poller.Readiness, at now: ContinuousClock.Instant,
    _ handle: (LinkEvent) throws(Failure) -> Void
  ) throws(Failure) {
    switch connection {
    case .none: takeAnswer(at: now)
    case .opening: finishOpening(at: now)
    case .open:
      flush(at: now)
      if ready.contains(.read) { return try receive(at: now, handle) }
    }
    try obey(at: now, handle)
  }

  private func takeAnswer(at now: ContinuousClock.Instant) {
    guard let answer = resolver.take() else { return }
    take(answer, at: now)
  }

  private func take(
    _ answer: Result<[SocketAddress], ResolverFailure>, at now: ContinuousClock.Instant
  ) {
    switch answer {
    case .success(let found):
      addresses = found
      link.handle(.resolved(addresses: found.count), at: now)
    case .failure(let failure): link.handle(.unresolved(failure.reason), at: now)
    }
  }

  private func finishOpening(at now: ContinuousClock.Instant) {
    guard case .opening(let socket) = connection else { return }
    do throws(SystemError) {
      try socket.checkConnected()
      connection = .open(socket)
      link.handle(.opened, at: now)
    } catch {
      disconnect()
      link.handle(.refused(error.description), at: now)
    }
  }

  private func receive<Failure: Error>(
    at now: ContinuousClock.Instant, _ handle: (LinkEvent) throws(Failure) -> Void
  ) throws(Failure) {
    for _ in 0..<Self.chunksInTurn {
      let received: LinkSocket.Received =
        switch connection {
        case .open(let socket): socket.receive(into: &chunk)
        case .none, .opening: .nothing
        }
      switch received {
      case .bytes(let count): link.receive(chunk[..<count], at: now)
      case .end: link.handle(.closed, at: now)
      case .fault(let fault): link.handle(.broken(fault.description), at: now)
      case .nothing: return
      }
      try obey(at: now, handle)
      // A piece that is not full was the last one; what comes now wakes the poller again.
      if case .bytes(let count) = received, count < Self.chunkSize { return }
    }
  }

  // MARK: Output

  private func obey<Failure: Error>(
    at now: ContinuousClock.Instant, _ handle: (LinkEvent) throws(Failure) -> Void
  ) throws(Failure) {
    while let output = link.next() {
      switch output {
      case .event(let event): try handle(event)
      case .command(.resolve):
        if let answer = resolver.begin() { take(answer, at: now) }
      case .command(.open(let index)): open(addresses[index], at: now)
      case .command(.send(let bytes)):
        unsent += bytes
        flush(at: now)
      case .command(.close): disconnect()
      }
    }
  }

  private func open(_ address: SocketAddress, at now: ContinuousClock.Instant) {
    disconnect()
    do throws(SystemError) {
      connection = .opening(try LinkSocket(connectingTo: address))
    } catch {
      link.handle(.refused(error.description), at: now)
    }
  }

  private func disconnect() {
    connection = .none
    unsent.removeAll()
  }

  private func flush(at now: ContinuousClock.Instant) {
    do throws(SystemError) {
      if case .open(let socket) = connection { try socket.send(&unsent) }
    } catch {
      link.handle(.broken(error.description), at: now)
    }
  }
}
