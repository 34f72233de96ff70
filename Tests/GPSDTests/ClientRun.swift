@testable import GPSD
import Receivers
@testable import System
import TestSupport

extension FakeServer {
  var address: GPSDAddress { GPSDAddress(host: "127.0.0.1", port: port) }

  /// A connection that nobody accepts, made so that the queue is full.
  func clog() throws -> LinkSocket {
    let addresses = try SocketAddress.all(host: "127.0.0.1", port: port, isNumeric: true)
    return try LinkSocket(connectingTo: addresses[0])
  }
}

/// A client that is driven until something has happened, and what it said.
final class ClientRun {
  let client: GPSDClient
  private(set) var events: [LinkEvent] = []
  private(set) var bytes: [UInt8] = []
  /// Bytes that were handed out.
  private(set) var count = 0
  /// Whether ``bytes`` holds them.
  var keepsBytes = true
  private(set) var mostBuffered = 0
  private var poller = Poller()

  init(_ address: GPSDAddress, _ change: (inout LinkOptions) -> Void = { _ in }) {
    var options = LinkOptions()
    options.seed = 1
    options.backOff.first = .milliseconds(1)
    options.backOff.shortest = .milliseconds(1)
    change(&options)
    client = GPSDClient(address, options: options)
  }

  /// What it said but for bytes, as words.
  var words: [String] { events.map(LinkBench.words).others }

  /// Turns until `isDone`; `descriptor` is one of the server's, which may wake it too.
  @discardableResult
  func run(
    watching descriptor: Int32? = nil, until isDone: () throws -> Bool
  ) rethrows -> Bool {
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end {
      if try isDone() { return true }
      if client.isOver { return false }
      step(watching: descriptor, until: end)
    }
    return false
  }

  private func step(watching descriptor: Int32?, until end: ContinuousClock.Instant) {
    poller.removeAll()
    let slot = client.join(&poller)
    _ = poller.add(descriptor, .read)
    poller.wait(until: min(client.deadline ?? end, end))
    client.turn(now: .now, ready: poller.ready(slot)) { event in
      if case .bytes(let some) = event {
        count += some.count
        if keepsBytes { bytes += some }
      } else {
        events.append(event)
      }
      mostBuffered = max(mostBuffered, client.bufferedBytes)
    }
  }

  /// Sends all of it, while the client reads; stops when the connection is lost.
  func push(_ all: [UInt8], through peer: FakePeer) {
    let before = losses
    var sent = 0
    run {
      sent += peer.send(all[sent...])
      return sent == all.count || losses > before
    }
  }

  /// How often it lost a connection.
  var losses: Int { words.count { $0.hasPrefix("lost") } }

  /// Connects to a server as far as its peer is known.
  func connect(to server: FakeServer) throws -> FakePeer {
    var poller = Poller()
    var isKnocking = false
    run(watching: server.descriptor) {
      poller.removeAll()
      let slot = poller.add(server.descriptor, .read)
      poller.wait(until: .now)
      isKnocking = !poller.ready(slot).isEmpty
      return isKnocking
    }
    return try server.accept()
  }

  /// Connects, and agrees to report.
  func subscribe(to server: FakeServer) throws -> FakePeer {
    let peer = try connect(to: server)
    let count = connections
    peer.send(LinkBench.version)
    var request = ""
    run(watching: peer.descriptor) {
      request += peer.received()
      return request.contains("?WATCH=")
    }
    peer.send(LinkBench.devices + LinkBench.watch)
    run { connections > count }
    return peer
  }

  /// How often it was connected.
  var connections: Int { words.count { $0.hasPrefix("connected") } }
}
