import Glibc
import Testing

@testable import System

@Suite("Signals", .serialized)
struct SignalsTests {
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
      // The signal itself may end the wait before the byte is there.
      while poller.ready(slot).isEmpty { poller.wait(until: nil) }
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
    while poller.ready(slot).isEmpty { poller.wait(until: nil) }
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
