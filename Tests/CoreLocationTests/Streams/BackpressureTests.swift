@testable import Delivering
import Testing

@testable import CoreLocation

@Suite("a replay waits for its consumers", .timeLimit(.minutes(90)))
struct BackpressureTests {
  @Test("a busy consumer holds the replay until it waits again")
  func lockstep() async throws {
    let backpressure = Backpressure()
    let buffer = AsyncBuffer<Int>(backpressure: backpressure)
    let log = Log()
    let consumer = Task {
      while let number = await buffer.next() {
        // Work that gives way many times.
        for _ in 0..<20 { await Task.yield() }
        log.add("took \(number)")
      }
    }
    try await buffer.untilSomebodyWaits()
    await backpressure.replaying {
      for number in 1...50 {
        log.add("put \(number)")
        buffer.put(number)
        await backpressure.settled()
      }
    }
    #expect(log.lines == (1...50).flatMap { ["put \($0)", "took \($0)"] })
    buffer.finish()
    await consumer.value
  }

  @Test("a task that reads only afterwards does not hold the replay")
  func sameTask() async {
    let backpressure = Backpressure()
    let buffer = AsyncBuffer<Int>(backpressure: backpressure)
    buffer.put(0)
    #expect(await buffer.next() == 0)
    await backpressure.replaying {
      for number in 1...100 {
        buffer.put(number)
        await backpressure.settled()
      }
    }
    #expect(buffer.count == 100)
  }

  @Test("a consumer that waits at another stream does not hold the replay")
  func otherStream() async throws {
    let backpressure = Backpressure()
    let outer = AsyncBuffer<Int>(backpressure: backpressure)
    let inner = AsyncBuffer<Int>(backpressure: backpressure)
    let consumer = Task {
      var pairs: [[Int]] = []
      while let first = await outer.next() {
        if let second = await inner.next() { pairs.append([first, second]) }
      }
      return pairs
    }
    try await outer.untilSomebodyWaits()
    await backpressure.replaying {
      for number in 1...3 {
        outer.put(number)
        await backpressure.settled()
        inner.put(-number)
        await backpressure.settled()
      }
    }
    outer.finish()
    #expect(await consumer.value == [[1, -1], [2, -2], [3, -3]])
  }

  @Test("a task's ID is forgotten with its buffer, because another task may get it")
  func left() async {
    let backpressure = Backpressure()
    let first = AsyncBuffer<Int>(backpressure: backpressure)
    let second = AsyncBuffer<Int>(backpressure: backpressure)
    for number in 1...2 { first.put(number) }
    second.put(3)
    await backpressure.replaying {
      #expect(await first.next() == 1)
      #expect(!backpressure.isSettled)
      backpressure.giveUpOnBusyTasks()
      #expect(await first.next() == 2)
      #expect(backpressure.isSettled, "given up in this replay")
      first.close()
      #expect(await second.next() == 3)
      #expect(!backpressure.isSettled, "waited for like a task that nobody has seen")
      second.close()
      #expect(backpressure.isSettled)
    }
  }

  @Test("ending a subscription of another task does not leave that task busy for ever")
  func endedElsewhere() async {
    let backpressure = Backpressure()
    let buffer = AsyncBuffer<Int>(backpressure: backpressure)
    await backpressure.replaying {
      buffer.put(1)
      #expect(await Task { await buffer.next() }.value == 1)
      #expect(!backpressure.isSettled)
      buffer.close()
      await backpressure.settled()
    }
  }

  @Test("a replay gives up on a consumer that waits for something else")
  func patience() async throws {
    let backpressure = Backpressure()
    let buffer = AsyncBuffer<Int>(backpressure: backpressure)
    let (unseen, hand) = AsyncStream.makeStream(of: Int.self)
    let consumer = Task {
      while await buffer.next() != nil {
        for await _ in unseen { break }
        return true
      }
      return false
    }
    try await buffer.untilSomebodyWaits()
    await backpressure.replaying {
      buffer.put(1)
      async let settled: Void = backpressure.settled()
      // What the watchdog does when its time is over.
      backpressure.giveUpOnBusyTasks()
      await settled
      hand.yield(2)
    }
    #expect(await consumer.value)
  }
}
