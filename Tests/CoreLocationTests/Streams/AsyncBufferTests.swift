@testable import Delivering
import TestSupport
import Testing

@testable import CoreLocation

@Suite("the buffer behind every stream", .timeLimit(.minutes(90)))
struct AsyncBufferTests {
  @Test("8.8 elements come out in order, and then the task waits")
  func order() async {
    let buffer = AsyncBuffer<Int>()
    for number in 1...3 { buffer.put(number) }
    #expect(buffer.count == 3)
    var taken: [Int?] = []
    for _ in 1...3 { taken.append(await buffer.next()) }
    async let fourth = buffer.next()
    buffer.put(4)
    #expect(await fourth == 4)
    #expect(taken == [1, 2, 3])
  }

  @Test("beyond the capacity the oldest element is dropped, and counted")
  func overflow() async {
    let backpressure = Backpressure()
    let buffer = AsyncBuffer<Int>(capacity: 3, backpressure: backpressure)
    for number in 1...5 { buffer.put(number) }
    #expect(buffer.dropped == 2)
    #expect(backpressure.droppedCount == 2)
    var taken: [Int?] = []
    for _ in 1...3 { taken.append(await buffer.next()) }
    #expect(taken == [3, 4, 5])
  }

  @Test("a source may continue when a buffer is at most half full, or released")
  func room() {
    let backpressure = Backpressure()
    let first = AsyncBuffer<Int>(capacity: 4, backpressure: backpressure)
    do {
      let second = AsyncBuffer<Int>(capacity: 1, backpressure: backpressure)
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
  func cancellation() async throws {
    let buffer = AsyncBuffer<Int>()
    let waiting = Task { await buffer.next() }
    try await buffer.untilSomebodyWaits()
    waiting.cancel()
    #expect(await waiting.value == nil)

    buffer.put(1)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await buffer.next()
    }
    #expect(await cancelled.value == nil)
    #expect(await buffer.next() == 1, "a cancelled task takes nothing from the others")
  }

  @Test("a finished buffer returns its elements, then nil, to all waiting tasks")
  func finish() async throws {
    let buffer = AsyncBuffer<Int>()
    buffer.put(1)
    buffer.finish()
    buffer.put(2)
    #expect(await buffer.next() == 1)
    #expect(await buffer.next() == nil)

    let other = AsyncBuffer<Int>()
    async let first = other.next()
    async let second = other.next()
    try await other.untilSomebodyWaits(2)
    other.finish()
    #expect(await first == nil)
    #expect(await second == nil)
  }

  @Test("each element goes to one of several tasks, and none is lost")
  func severalTakers() async {
    let buffer = AsyncBuffer<Int>(capacity: 20_000)
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 1...4 {
        group.addTask {
          var sum = 0
          while let number = await buffer.next() { sum += number }
          return sum
        }
      }
      for number in 1...10_000 {
        buffer.put(number)
        if number.isMultiple(of: 1_000) { await Task.yield() }
      }
      buffer.finish()
      return await group.reduce(0, +)
    }
    #expect(sums == 50_005_000)
  }

  @Test("all elements of many threads arrive, in the order of each thread")
  func manyThreads() async {
    let buffer = AsyncBuffer<(writer: Int, number: Int)>(capacity: 100_000)
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask { for number in 0..<10_000 { buffer.put((writer, number)) } }
      }
    }
    var next = [0, 0, 0, 0]
    while let element = buffer.take() {
      #expect(element.number == next[element.writer])
      next[element.writer] += 1
    }
    #expect(next == [10_000, 10_000, 10_000, 10_000])
  }

  @Test("the queue agrees with an array for any operations", arguments: [1, 2, 3])
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

extension AsyncBuffer {
  /// Gives way until so many tasks wait for an element.
  func untilSomebodyWaits(_ count: Int = 1) async throws {
    try await eventually("\(count) tasks to wait for an element") { waiting >= count }
  }
}
