import Tracking

/// The true crossings of one fence, and which of them a receiver must notice.
struct FenceTruth: Sendable {
  /// A crossing, or several within a short time that count as one.
  struct Passage: Sendable, Hashable {
    let kind: TrueCrossing.Kind
    /// The first and the last time that the edge is crossed, seconds after the start.
    let first: Double
    let last: Double
    /// Whether a receiver can and should notice it.
    var isRequired = false
    /// The last fix before and the first after it, seconds after the start.
    var fixBefore: Double?
    var fixAfter: Double?
    /// Seconds inside: after an enter, before an exit.
    var inside: Double?

    /// The last crossing completes an enter, the first an exit.
    var time: Double { kind == .enter ? last : first }
  }

  /// Whether the simulation begins inside.
  let beginsInside: Bool
  private(set) var passages: [Passage] = []

  private struct Crossing { let second: Double, kind: TrueCrossing.Kind }
  /// A change from well inside to well outside, or the reverse.
  private struct Change { let from: Int, to: Int, kind: TrueCrossing.Kind }

  /// - Parameters:
  ///   - distances: Metres to the edge every second, negative inside.
  ///   - radius: Of the fence, metres.
  ///   - fixes: Seconds of the fixes, in order.
  ///   - interval: Seconds between fixes by the receiver's setting.
  ///   - depth: How deep a passage must reach on both sides, metres, at most.
  ///   - distance: The same as `distances` at any second, to locate crossings exactly.
  init(
    distances: [Double], radius: Double, fixes: [Double], interval: Double,
    depth: Double = Self.depth, distance: (Double) -> Double
  ) {
    beginsInside = distances.first.map { $0 < 0 } ?? false
    let crossings = Self.crossings(distances, distance)
    let depth = min(depth, radius * Self.depthShare)
    let changes = Self.changes(distances, depth: depth)
    let deep = changes.compactMap { Self.passage($0, crossings) }
    passages = deep.indices.map { index in
      Self.judged(deep, index, Double(distances.count), fixes, interval)
    }
    let used = passages.flatMap {
      [Crossing(second: $0.first, kind: $0.kind)]
        + [Crossing(second: $0.last, kind: $0.kind)]
    }
    for crossing in crossings
    where !used.contains(where: { $0.kind == crossing.kind && $0.second == crossing.second }) {
      passages.append(Passage(kind: crossing.kind, first: crossing.second, last: crossing.second))
    }
  }

  /// A passage must reach this depth on both sides, metres, or this share of the radius.
  static let depth = 20.0
  private static let depthShare = 0.25
  /// It must last this many seconds, or this many sampling intervals, and contain this many fixes.
  private static let leastSeconds = 60.0
  private static let leastIntervals = 2.2
  private static let leastFixes = 2

  private static func crossings(
    _ distances: [Double], _ distance: (Double) -> Double
  ) -> [Crossing] {
    distances.indices.dropLast().compactMap { second in
      let isInside = distances[second] < 0
      guard isInside != (distances[second + 1] < 0) else { return nil }
      var (low, high) = (Double(second), Double(second + 1))
      // 2⁻²⁰ s is a microsecond.
      for _ in 0..<20 {
        let middle = (low + high) / 2
        if (distance(middle) < 0) == isInside { low = middle } else { high = middle }
      }
      return Crossing(second: (low + high) / 2, kind: isInside ? .exit : .enter)
    }
  }

  private static func changes(_ distances: [Double], depth: Double) -> [Change] {
    var changes: [Change] = []
    var last: (second: Int, isInside: Bool)?
    for (second, distance) in distances.enumerated() where abs(distance) >= depth {
      let isInside = distance < 0
      if let last, last.isInside != isInside {
        changes.append(Change(from: last.second, to: second, kind: isInside ? .enter : .exit))
      }
      last = (second, isInside)
    }
    return changes
  }

  private static func passage(_ change: Change, _ crossings: [Crossing]) -> Passage? {
    let range = Double(change.from) - 1...Double(change.to) + 1
    let within = crossings.filter { range.contains($0.second) }
    guard let first = within.first, let last = within.last else { return nil }
    return Passage(kind: change.kind, first: first.second, last: last.second)
  }

  private static func judged(
    _ all: [Passage], _ index: Int, _ end: Double, _ fixes: [Double], _ interval: Double
  ) -> Passage {
    var passage = all[index]
    let next = index + 1 < all.count ? all[index + 1].first : end
    let (after, before) = (
      next - passage.last, passage.first - (index > 0 ? all[index - 1].last : 0)
    )
    let shortest = index > 0 ? min(after, before) : after
    passage.fixBefore = fixes.count(before: passage.first).predecessor.map { fixes[$0] }
    let following = fixes.count(before: passage.last)
    passage.fixAfter = following < fixes.count ? fixes[following] : nil
    passage.inside = passage.kind == .enter ? after : before
    let heard = fixes.count(before: next) - following
    // Nobody can notice a way out of a state in which no fix was taken.
    let began = index > 0 ? all[index - 1].last : 0
    let heardBefore = fixes.count(before: passage.first) - fixes.count(before: began)
    passage.isRequired =
      shortest >= max(leastSeconds, leastIntervals * interval) && heard >= leastFixes
      && heardBefore > 0
    return passage
  }
}

extension [Double] {
  /// How many of these sorted numbers are below a limit.
  func count(before limit: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Int {
  fileprivate var predecessor: Int? { self > 0 ? self - 1 : nil }
}
