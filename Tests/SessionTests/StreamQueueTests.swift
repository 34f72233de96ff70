@testable import Session
import TestSupport
import Testing
import Tracking

@Suite("StreamQueue")
struct StreamQueueTests {
  private func time(_ seconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: seconds * 1_000_000_000)
  }

  @Test("is empty at first, and moving nothing has no effect")
  func empty() {
    var queue = StreamQueue()
    queue.moveFirst(to: time(1))
    queue.moveFirst(to: nil)
    #expect(queue.first == nil)
  }

  @Test("gives the earliest stream, and of equal times the first one")
  func order() {
    var queue = StreamQueue()
    for stream in [3, 1, 2, 0] { queue.add(stream, at: time(stream == 0 ? 7 : 5)) }
    var order: [Int] = []
    while let first = queue.first {
      order.append(first.stream)
      queue.moveFirst(to: nil)
    }
    #expect(order == [1, 2, 3, 0])
  }

  @Test("knows whether the first stream stays first", arguments: 0..<20 as Range<UInt64>)
  func staysFirst(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = StreamQueue()
    #expect(!queue.staysFirst(at: time(0)))
    for stream in (0..<Int.random(in: 1...6, using: &random)).shuffled(using: &random) {
      queue.add(stream, at: time(Int64.random(in: 0...9, using: &random)))
    }
    for _ in 0..<20 {
      let (before, next) = (queue.first?.stream, time(Int64.random(in: 0...9, using: &random)))
      let stays = queue.staysFirst(at: next)
      queue.moveFirst(to: next)
      #expect((queue.first?.stream == before) == stays, "seed \(seed)")
    }
  }

  @Test("merges as sorting does", arguments: 0..<20 as Range<UInt64>)
  func merge(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var left = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      (0..<Int.random(in: 1...20, using: &random)).map { _ in
        Int64.random(in: 0...30, using: &random)
      }.sorted()
    }
    let expected = left.enumerated().flatMap { stream, times in times.map { (stream, $0) } }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    var queue = StreamQueue()
    for stream in left.indices { queue.add(stream, at: time(left[stream].removeFirst())) }
    var merged: [(Int, Int64)] = []
    while let (stream, at) = queue.first {
      merged.append((stream, at.nanoseconds / 1_000_000_000))
      queue.moveFirst(to: left[stream].isEmpty ? nil : time(left[stream].removeFirst()))
    }
    #expect(merged.map(\.0) == expected.map(\.0), "seed \(seed)")
    #expect(merged.map(\.1) == expected.map(\.1), "seed \(seed)")
  }
}
