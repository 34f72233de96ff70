import Glibc
import TestSupport
import Testing

@testable import System

@Suite("Signals", .serialized)
struct SignalsTests {
  /// The signal itself may end a wait of the poller before the byte is there.
  private static func wait(for slot: Int, of poller: inout Poller) throws {
    try blockUntil("a signal") {
      poller.wait(until: .now + .seconds(1))
      return !poller.ready(slot).isEmpty
    }
  }

  @Test("wake the poller, and report the request")
  func wishes() throws {
    let signals = try Signals(stop: [SIGUSR2], reload: [SIGUSR1])
    #expect(signals.take() == [])
    for (number, wish) in [(SIGUSR1, .reload), (SIGUSR1, .reload), (SIGUSR2, .stop)]
      as [(Int32, Signals.Request)]
    {
      // To the process: the thread of a test may have signals blocked.
      kill(getpid(), number)
      var poller = Poller()
      let slot = poller.add(signals.descriptor, .read)
      try Self.wait(for: slot, of: &poller)
      #expect(signals.take() == [wish])
    }
    #expect(signals.take() == [])
  }

  @Test("signals that only wake have no request")
  func waking() throws {
    let signals = try Signals(stop: [], wake: [SIGURG])
    kill(getpid(), SIGURG)
    var poller = Poller()
    let slot = poller.add(signals.descriptor, .read)
    try Self.wait(for: slot, of: &poller)
    #expect(signals.take() == [])
    poller.wait(until: .now)
    #expect(poller.ready(slot).isEmpty)
  }

  @Test("leave ignored signals alone, and restore the previous handlers")
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
