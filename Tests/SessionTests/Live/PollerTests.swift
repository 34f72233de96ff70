import Glibc
import Synchronization
import Testing

@testable import Session

@Suite("A poller")
struct PollerTests {
  @Test("tells what is ready, and what is not")
  func readiness() throws {
    let (first, second) = (try Pipe.make(), try Pipe.make())
    defer { for end in [first.reader, first.writer, second.reader] { close(end) } }
    var byte: UInt8 = 1
    #expect(write(first.writer, &byte, 1) == 1)
    var poller = Poller()
    for _ in 0..<2 {
      poller.removeAll()
      let slots = [
        poller.add(first.reader, .read), poller.add(second.reader, .read),
        poller.add(first.writer, [.read, .write]), poller.add(nil, [.read, .write]),
      ]
      poller.wait(until: nil)
      #expect(slots.map { poller.ready($0) } == [.read, [], .write, []])
    }
    // An end whose other end is closed is ready, so that reading tells it.
    close(second.writer)
    poller.removeAll()
    let slot = poller.add(second.reader, .read)
    poller.wait(until: nil)
    #expect(poller.ready(slot) == .read)
  }

  @Test("waits no longer than to the deadline, be it past or near")
  func deadline() throws {
    let pipe = try Pipe.make()
    defer { for end in [pipe.reader, pipe.writer] { close(end) } }
    var poller = Poller()
    let slot = poller.add(pipe.reader, .read)
    let end = ContinuousClock.now + .milliseconds(3)
    poller.wait(until: end)
    #expect(ContinuousClock.now >= end)
    poller.wait(until: end - .seconds(3_600))
    #expect(poller.ready(slot) == [])
  }
}

@Suite("A resolver")
struct ResolverTests {
  /// Waits for the answer as the loop does.
  private func answer(
    of resolver: inout Resolver
  ) -> Result<[SocketAddress], ResolverFailure>? {
    var poller = Poller()
    _ = poller.add(resolver.descriptor, .read)
    poller.wait(until: nil)
    return resolver.take()
  }

  @Test("answers at once for a numeric address", arguments: ["127.0.0.1", "::1"])
  func numeric(host: String) throws {
    var resolver = Resolver(GPSDAddress(host: host, port: 2947)) {
      (_, _, _) throws(ResolverError) in throw ResolverError(code: EAI_FAIL)
    }
    let addresses = try #require(try resolver.begin()?.get())
    #expect(addresses.map(\.family) == [host == "::1" ? AF_INET6 : AF_INET])
    #expect(resolver.descriptor == nil && resolver.take() == nil)
  }

  @Test("asks on another thread, and never twice at once")
  func thread() throws {
    let gate = try Pipe.make()
    defer { for end in [gate.reader, gate.writer] { close(end) } }
    let addresses = try SocketAddress.all(host: "127.0.0.1", port: 1, isNumeric: true)
    let shared = Counter()
    var resolver = Resolver(GPSDAddress(host: "boat", port: 1)) {
      (_, _, _) throws(ResolverError) in
      shared.count.add(1, ordering: .relaxed)
      var poller = Poller()
      _ = poller.add(gate.reader, .read)
      poller.wait(until: nil)
      return addresses
    }
    for _ in 0..<3 {
      #expect(resolver.begin() == nil)
      #expect(resolver.take() == nil)
    }
    var byte: UInt8 = 1
    #expect(write(gate.writer, &byte, 1) == 1)
    #expect(answer(of: &resolver) == .success(addresses))
    #expect(shared.count.load(ordering: .relaxed) == 1)
    #expect(resolver.descriptor == nil)
  }

  @Test("says why a host has no address")
  func failure() {
    var resolver = Resolver(GPSDAddress(host: "boat", port: 1)) {
      (_, _, _) throws(ResolverError) in throw ResolverError(code: EAI_NONAME)
    }
    #expect(resolver.begin() == nil)
    #expect(
      answer(of: &resolver)
        == .failure(ResolverFailure(reason: "Name or service not known")))
  }

  private final class Counter: Sendable {
    let count = Atomic(0)
  }
}

@Suite("Signals", .serialized)
struct SignalsTests {
  @Test("wake the poller, and say what is wanted")
  func wishes() throws {
    let signals = try Signals(stop: [SIGUSR2], reload: [SIGUSR1])
    #expect(signals.take() == [])
    for (number, wish) in [(SIGUSR1, .reload), (SIGUSR1, .reload), (SIGUSR2, .stop)]
      as [(Int32, Signals.Wish)]
    {
      // To the process: the thread of a test may have signals blocked.
      kill(getpid(), number)
      var poller = Poller()
      let slot = poller.add(signals.descriptor, .read)
      // The signal itself may end the wait before the byte is there.
      while poller.ready(slot).isEmpty { poller.wait(until: nil) }
      #expect(signals.take() == [wish])
    }
    #expect(signals.take() == [])
  }

  @Test("those that only wake ask for nothing")
  func waking() throws {
    let signals = try Signals(stop: [], wake: [SIGURG])
    kill(getpid(), SIGURG)
    var poller = Poller()
    let slot = poller.add(signals.descriptor, .read)
    while poller.ready(slot).isEmpty { poller.wait(until: nil) }
    #expect(signals.take() == [])
    poller.wait(until: .now)
    #expect(poller.ready(slot).isEmpty)
  }

  @Test("leave alone what was ignored, and give back what was before")
  func ignored() throws {
    signal(SIGUSR1, SIG_IGN)
    defer { signal(SIGUSR1, SIG_DFL) }
    do {
      let signals = try Signals(stop: [], reload: [SIGUSR1, SIGURG])
      kill(getpid(), SIGUSR1)
      #expect(signals.take() == [])
    }
    var action = sigaction()
    sigaction(SIGURG, nil, &action)
    #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0)
  }
}
