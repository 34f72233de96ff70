import Testing

@testable import CoreLocation

@Suite("a replay waits for its consumers")
struct BackpressureTests {
  @Test("a consumer that is at work holds the replay until it waits again")
  func lockstep() async {
    let backpressure = Backpressure()
    let mailbox = Mailbox<Int>(backpressure: backpressure)
    let log = Log()
    let consumer = Task {
      while let number = await mailbox.next() {
        // Work that gives way many times.
        for _ in 0..<20 { await Task.yield() }
        log.add("took \(number)")
      }
    }
    await mailbox.untilSomebodyWaits()
    await backpressure.replaying {
      for number in 1...50 {
        log.add("put \(number)")
        mailbox.put(number)
        await backpressure.settled()
      }
    }
    #expect(log.lines == (1...50).flatMap { ["put \($0)", "took \($0)"] })
    mailbox.finish()
    await consumer.value
  }

  @Test("who only takes afterwards does not hold the replay")
  func sameTask() async {
    let backpressure = Backpressure()
    let mailbox = Mailbox<Int>(backpressure: backpressure)
    mailbox.put(0)
    #expect(await mailbox.next() == 0)
    await backpressure.replaying {
      for number in 1...100 {
        mailbox.put(number)
        await backpressure.settled()
      }
    }
    #expect(mailbox.count == 100)
  }

  @Test("a consumer that waits at another stream does not hold the replay")
  func otherStream() async {
    let backpressure = Backpressure()
    let outer = Mailbox<Int>(backpressure: backpressure)
    let inner = Mailbox<Int>(backpressure: backpressure)
    let consumer = Task {
      var pairs: [[Int]] = []
      while let first = await outer.next() {
        if let second = await inner.next() { pairs.append([first, second]) }
      }
      return pairs
    }
    await outer.untilSomebodyWaits()
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

  @Test("what is known of a task is forgotten with what it took from, as another may get its name")
  func left() async {
    let backpressure = Backpressure()
    let first = Mailbox<Int>(backpressure: backpressure)
    let second = Mailbox<Int>(backpressure: backpressure)
    for number in 1...2 { first.put(number) }
    second.put(3)
    await backpressure.replaying {
      #expect(await first.next() == 1)
      #expect(!backpressure.isSettled)
      backpressure.goOn()
      #expect(await first.next() == 2)
      #expect(backpressure.isSettled, "given up in this replay")
      first.close()
      #expect(await second.next() == 3)
      #expect(!backpressure.isSettled, "waited for like a task that nobody has seen")
      second.close()
      #expect(backpressure.isSettled)
    }
  }

  @Test("who ends a run on behalf of another task does not leave that one at work for ever")
  func endedElsewhere() async {
    let backpressure = Backpressure()
    let mailbox = Mailbox<Int>(backpressure: backpressure)
    await backpressure.replaying {
      mailbox.put(1)
      #expect(await Task { await mailbox.next() }.value == 1)
      #expect(!backpressure.isSettled)
      mailbox.close()
      await backpressure.settled()
    }
  }

  @Test("a consumer that waits for something that nobody sees is given up")
  func patience() async {
    let backpressure = Backpressure()
    let mailbox = Mailbox<Int>(backpressure: backpressure)
    let (unseen, hand) = AsyncStream.makeStream(of: Int.self)
    let consumer = Task {
      while await mailbox.next() != nil {
        for await _ in unseen { break }
        return true
      }
      return false
    }
    await mailbox.untilSomebodyWaits()
    await backpressure.replaying {
      mailbox.put(1)
      async let settled: Void = backpressure.settled()
      // What the watchdog does when its time is over.
      backpressure.goOn()
      await settled
      hand.yield(2)
    }
    #expect(await consumer.value)
  }
}
