import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GPSD
import Receivers
@testable import System

@Suite("A resolver")
struct ResolverTests {
  /// Waits for the answer as the loop does.
  private func answer(
    of resolver: inout Resolver
  ) -> Result<[SocketAddress], ResolverFailure>? {
    var poller = Poller()
    _ = poller.add(resolver.descriptor, .read)
    poller.wait(until: .now + patience)
    return resolver.takeResult()
  }

  @Test("answers at once for a numeric address", arguments: ["127.0.0.1", "::1"])
  func numeric(host: String) throws {
    var resolver = Resolver(GPSDAddress(host: host, port: 2947)) {
      (_, _, _) throws(ResolverError) in throw ResolverError(code: EAI_FAIL)
    }
    let addresses = try #require(try resolver.start()?.get())
    #expect(addresses.map(\.family) == [host == "::1" ? AF_INET6 : AF_INET])
    #expect(resolver.descriptor == nil && resolver.takeResult() == nil)
  }

  @Test("resolves on another thread, one lookup at a time")
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
      poller.wait(until: .now + patience)
      return addresses
    }
    for _ in 0..<3 {
      #expect(resolver.start() == nil)
      #expect(resolver.takeResult() == nil)
    }
    var byte: UInt8 = 1
    #expect(write(gate.writer, &byte, 1) == 1)
    #expect(answer(of: &resolver) == .success(addresses))
    #expect(shared.count.load(ordering: .relaxed) == 1)
    #expect(resolver.descriptor == nil)
  }

  @Test("reports why a host has no address")
  func failure() {
    var resolver = Resolver(GPSDAddress(host: "boat", port: 1)) {
      (_, _, _) throws(ResolverError) in throw ResolverError(code: EAI_NONAME)
    }
    #expect(resolver.start() == nil)
    #expect(
      answer(of: &resolver)
        == .failure(ResolverFailure(reason: "Name or service not known")))
  }

  private final class Counter: Sendable {
    let count = Atomic(0)
  }
}
