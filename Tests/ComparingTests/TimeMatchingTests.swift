import TestSupport
import Testing

@testable import Comparing

@Suite("The matching of times")
struct TimeMatchingTests {
  @Test("costs as little as the best of all matchings, on random lists")
  func optimum() {
    var mostPairs = 0
    for seed in UInt64(0)..<4_000 {
      var random = SeededGenerator(seed: seed)
      let (old, new) = (Self.times(&random), Self.times(&random))
      let limit = Int64.random(in: 0...12, using: &random)
      let pairs = TimeMatching(old, new, limit: limit).pairs
      mostPairs = max(mostPairs, pairs.count)
      let what = "seed \(seed): \(old) and \(new) within \(limit): \(pairs)"
      #expect(pairs.allSatisfy { abs(old[$0.old] - new[$0.new]) <= limit }, "\(what)")
      #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new })
      let paired = pairs.reduce(0) { $0 + 2 * abs(old[$1.old] - new[$1.new]) }
      let alone = Int64(old.count + new.count - 2 * pairs.count) * (limit + 1)
      #expect(paired + alone == Self.least(old[...], new, limit), "\(what)")
    }
    #expect(mostPairs >= 5)
  }

  /// Up to six times, some of them equal.
  private static func times(_ random: inout SeededGenerator) -> [Int64] {
    let count = Int.random(in: 0...6, using: &random)
    return (0..<count).map { _ in Int64.random(in: 0...30, using: &random) }.sorted()
  }

  /// The least cost of all matchings, those that cross included.
  private static func least(_ old: ArraySlice<Int64>, _ new: [Int64], _ limit: Int64) -> Int64 {
    guard let first = old.first else { return Int64(new.count) * (limit + 1) }
    var best = limit + 1 + least(old.dropFirst(), new, limit)
    for (index, time) in new.enumerated() where abs(time - first) <= limit {
      var rest = new
      rest.remove(at: index)
      best = min(best, 2 * abs(time - first) + least(old.dropFirst(), rest, limit))
    }
    return best
  }

  @Test("a pair that is not the nearest is taken if all together fit better")
  func chain() {
    // The nearest first would pair 10 with 6 and leave 0 and 16 alone: 4 and twice 5 are over 12.
    #expect(Self.pairs([0, 10], [6, 16], limit: 10) == [[0, 0], [1, 1]])
    #expect(Self.pairs([0, 10], [9, 19], limit: 10) == [[1, 0]])
  }

  @Test("an event at the limit is the same event, one beyond it is not")
  func limit() {
    #expect(Self.pairs([0], [600], limit: 600) == [[0, 0]])
    #expect(Self.pairs([0], [601], limit: 600) == [])
    #expect(Self.pairs([5], [5], limit: 0) == [[0, 0]])
  }

  @Test("nothing matches nothing")
  func empty() {
    #expect(Self.pairs([], [1, 2], limit: 9) == [])
    #expect(Self.pairs([1, 2], [], limit: 9) == [])
    #expect(Self.pairs([], [], limit: 9) == [])
  }

  @Test("long lists are matched in a moment, whatever their ends")
  func long() {
    let old = (Int64(0)..<40_000).map { $0 * 100 }
    let new = old.map { $0 + 30 }
    let pairs = TimeMatching(old, new, limit: 1_000).pairs
    #expect(pairs.count == old.count)
    #expect(pairs.allSatisfy { $0.old == $0.new })
  }

  private static func pairs(_ old: [Int64], _ new: [Int64], limit: Int64) -> [[Int]] {
    TimeMatching(old, new, limit: limit).pairs.map { [$0.old, $0.new] }
  }
}
