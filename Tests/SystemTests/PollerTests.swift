import Glibc
import TestSupport
import Testing

@testable import System

@Suite("A poller")
struct PollerTests {
  @Test("reports what is ready, and what is not")
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
      poller.wait(until: .now + patience)
      #expect(slots.map { poller.ready($0) } == [.read, [], .write, []])
    }
    // An end whose other end is closed is ready, so that reading tells it.
    close(second.writer)
    poller.removeAll()
    let slot = poller.add(second.reader, .read)
    poller.wait(until: .now + patience)
    #expect(poller.ready(slot) == .read)
  }

  @Test("waits at most until the deadline, past or near")
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
