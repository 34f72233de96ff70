package import Receivers
internal import Glibc
package import System

/// A connection to gpsd: executes the commands of a ``Link``.
///
/// It never blocks and has no thread. The caller waits with ``Poller`` and calls ``turn`` when the
/// socket is ready or the deadline has come. The first turn starts to connect.
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

  /// The most bytes that one call reads: many reports, because they come in bursts after a pause.
  private static let chunkSize = 1 << 16
  /// The most chunks that one turn reads, so a flood does not delay signals and deadlines.
  private static let chunksInTurn = 16

  private enum Connection {
    case none
    case opening(LinkSocket)
    case open(LinkSocket)
  }

  /// Makes a client that is not connected yet.
  package init(_ address: GPSDAddress, options: LinkOptions = LinkOptions()) {
    self.address = address
    link = Link(
      device: address.device, options: options,
      seed: options.seed ?? UInt64.random(in: .min ... .max))
    resolver = Resolver(address)
  }

  /// Whether no more events will come: the client was closed, or the connection was lost and is not
  /// retried.
  package var isOver: Bool { link.isOver }

  /// When to call ``turn`` at the latest, nil for never.
  package var deadline: ContinuousClock.Instant? {
    link.hasOutputs ? .now : link.deadline(now: .now)
  }

  /// Adds the socket to the next wait of `poller`.
  package func join(_ poller: inout Poller) -> Int {
    switch connection {
    case .none: poller.add(resolver.descriptor, .read)
    case .opening(let socket): poller.add(socket.descriptor, .write)
    case .open(let socket):
      poller.add(socket.descriptor, unsent.isEmpty ? .read : [.read, .write])
    }
  }

  /// Does all due work, and passes events to `handle` in order.
  ///
  /// `ready` is the readiness that the poller found. When `handle` throws, the remaining events are
  /// delivered in the next turn.
  package func turn<Failure: Error>(
    now: ContinuousClock.Instant, ready: Poller.Readiness,
    _ handle: (LinkEvent) throws(Failure) -> Void
  ) throws(Failure) {
    try drain(at: now, handle)
    if !ready.isEmpty { try transfer(ready, at: now, handle) }
    link.handle(.wake, at: now)
    try drain(at: now, handle)
  }

  /// Queries gpsd, which answers with ``LinkEvent/answered``; does nothing while a query is pending or
  /// gpsd is not connected.
  package func query(now: ContinuousClock.Instant) {
    link.handle(.query, at: now)
  }

  /// Closes the connection; no more events follow.
  package func close() {
    link.handle(.stop, at: .now)
    drain(at: .now) { _ in }
  }

  /// Bytes of an incomplete line, and bytes still to be sent.
  var bufferedBytes: Int { link.bufferedBytes + unsent.count }

  // MARK: Input

  private func transfer<Failure: Error>(
    _ ready: Poller.Readiness, at now: ContinuousClock.Instant,
    _ handle: (LinkEvent) throws(Failure) -> Void
  ) throws(Failure) {
    switch connection {
    case .none: finishResolving(at: now)
    case .opening: finishOpening(at: now)
    case .open:
      flush(at: now)
      if ready.contains(.read) { return try receive(at: now, handle) }
    }
    try drain(at: now, handle)
  }

  private func finishResolving(at now: ContinuousClock.Instant) {
    guard let answer = resolver.takeResult() else { return }
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
      link.handle(Self.refusal(error), at: now)
    }
  }

  private static func refusal(_ error: SystemError) -> Link.Input {
    error.code == ECONNREFUSED ? .noListener : .refused(error.description)
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
      case .failed(let error): link.handle(.broken(error.description), at: now)
      case .nothing: return
      }
      try drain(at: now, handle)
      // A chunk that is not full was the last; new data wakes the poller again.
      if case .bytes(let count) = received, count < Self.chunkSize { return }
    }
  }

  // MARK: Output

  private func drain<Failure: Error>(
    at now: ContinuousClock.Instant, _ handle: (LinkEvent) throws(Failure) -> Void
  ) throws(Failure) {
    while let output = link.next() {
      switch output {
      case .event(let event): try handle(event)
      case .command(.resolve):
        if let answer = resolver.start() { take(answer, at: now) }
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
      link.handle(Self.refusal(error), at: now)
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
