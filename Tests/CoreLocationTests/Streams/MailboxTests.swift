import TestSupport
import Testing

@testable import CoreLocation

@Suite("the buffer behind every stream")
struct MailboxTests {
  @Test("8.8 what was put in comes out in order, and then the taker waits")
  func order() async {
    let mailbox = Mailbox<Int>()
    for number in 1...3 { mailbox.put(number) }
    #expect(mailbox.count == 3)
    var taken: [Int?] = []
    for _ in 1...3 { taken.append(await mailbox.next()) }
    async let fourth = mailbox.next()
    mailbox.put(4)
    #expect(await fourth == 4)
    #expect(taken == [1, 2, 3])
  }

  @Test("beyond the capacity the oldest goes, and is counted")
  func overflow() async {
    let backpressure = Backpressure()
    let mailbox = Mailbox<Int>(capacity: 3, backpressure: backpressure)
    for number in 1...5 { mailbox.put(number) }
    #expect(mailbox.dropped == 2)
    #expect(backpressure.droppedCount == 2)
    var taken: [Int?] = []
    for _ in 1...3 { taken.append(await mailbox.next()) }
    #expect(taken == [3, 4, 5])
  }

  @Test("there is room again when a mailbox is no longer more than half full, or is gone")
  func room() {
    let backpressure = Backpressure()
    let first = Mailbox<Int>(capacity: 4, backpressure: backpressure)
    do {
      let second = Mailbox<Int>(capacity: 1, backpressure: backpressure)
      second.put(0)
      #expect(!backpressure.hasRoom)
    }
    #expect(backpressure.hasRoom)
    for number in 1...3 { first.put(number) }
    #expect(!backpressure.hasRoom)
    #expect(first.take() == 1)
    #expect(backpressure.hasRoom)
    first.put(4)
    first.close()
    #expect(backpressure.hasRoom)
    #expect(first.take() == nil)
  }

  @Test("8.8 a cancelled task gets nil, whether it waits or has yet to")
  func cancellation() async {
    let mailbox = Mailbox<Int>()
    let waiting = Task { await mailbox.next() }
    await mailbox.untilSomebodyWaits()
    waiting.cancel()
    #expect(await waiting.value == nil)

    mailbox.put(1)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await mailbox.next()
    }
    #expect(await cancelled.value == nil)
    #expect(await mailbox.next() == 1, "a cancelled task takes nothing from the others")
  }

  @Test("a finished mailbox gives what is in it, then nil, to all who wait")
  func finish() async {
    let mailbox = Mailbox<Int>()
    mailbox.put(1)
    mailbox.finish()
    mailbox.put(2)
    #expect(await mailbox.next() == 1)
    #expect(await mailbox.next() == nil)

    let other = Mailbox<Int>()
    async let first = other.next()
    async let second = other.next()
    await other.untilSomebodyWaits(2)
    other.finish()
    #expect(await first == nil)
    #expect(await second == nil)
  }

  @Test("each element goes to one of several takers, and none is lost")
  func severalTakers() async {
    let mailbox = Mailbox<Int>(capacity: 20_000)
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 1...4 {
        group.addTask {
          var sum = 0
          while let number = await mailbox.next() { sum += number }
          return sum
        }
      }
      for number in 1...10_000 {
        mailbox.put(number)
        if number.isMultiple(of: 1_000) { await Task.yield() }
      }
      mailbox.finish()
      return await group.reduce(0, +)
    }
    #expect(sums == 50_005_000)
  }

  @Test("from many threads all arrives, and each thread's in its order")
  func manyThreads() async {
    let mailbox = Mailbox<(writer: Int, number: Int)>(capacity: 100_000)
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask { for number in 0..<10_000 { mailbox.put((writer, number)) } }
      }
    }
    var next = [0, 0, 0, 0]
    while let element = mailbox.take() {
      #expect(element.number == next[element.writer])
      next[element.writer] += 1
    }
    #expect(next == [10_000, 10_000, 10_000, 10_000])
  }

  @Test("the queue agrees with an array, whatever is done", arguments: [1, 2, 3])
  func queue(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = Queue<Int>()
    var array: [Int] = []
    for step in 0..<20_000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...4:
        queue.append(step)
        array.append(step)
      case 5...8:
        let first = array.isEmpty ? nil : array.removeFirst()
        #expect(queue.popFirst() == first, "seed \(seed), step \(step)")
      default:
        let place = array.firstIndex { $0.isMultiple(of: 7) }
        let removed = place.map { array.remove(at: $0) }
        #expect(queue.removeFirst { $0.isMultiple(of: 7) } == removed, "seed \(seed), step \(step)")
      }
      #expect(queue.count == array.count)
    }
    #expect(queue.elements == array)
  }
}

extension Mailbox {
  /// Gives way until so many tasks wait for an element.
  func untilSomebodyWaits(_ count: Int = 1) async {
    while waiting < count { await Task.yield() }
  }
}
