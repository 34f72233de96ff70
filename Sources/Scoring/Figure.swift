/// One number of a score.
package enum Figure: Sendable, Hashable {
  case count(Int)
  case number(Double, decimals: Int)
  /// There was nothing to compute it from.
  case missing
}

/// The scores of one group.
package struct Score: Sendable {
  package let group: String
  package fileprivate(set) var figures: [(name: String, figure: Figure)] = []

  init(group: String) {
    self.group = group
  }

  /// A figure by its name.
  package subscript(name: String) -> Figure? { figures.first { $0.name == name }?.figure }

  mutating func add(_ name: String, _ count: Int) {
    figures.append((name, .count(count)))
  }

  mutating func add(_ name: String, _ number: Double, decimals: Int = 4) {
    figures.append((name, .number(number, decimals: decimals)))
  }

  /// Adds a percentile of some values.
  mutating func add(_ name: String, _ percent: Double, of values: [Double]) {
    guard let number = Percentile.of(values, percent) else {
      return figures.append((name, .missing))
    }
    add(name, number, decimals: 1)
  }

  /// Adds the share of the values that are at most `limit`.
  mutating func add(_ name: String, shareBelow limit: Double, of values: [Double]) {
    guard !values.isEmpty else { return figures.append((name, .missing)) }
    add(name, Double(values.count { $0 <= limit }) / Double(values.count))
  }

  /// Adds hits, false ones and misses, and what follows from them.
  mutating func add(required: Int, hits: Int, falses: Int, ignored: Int) {
    let precision = Double(hits) / Double(max(1, hits + falses))
    let recall = Double(hits) / Double(max(1, required))
    add("required", required)
    add("tp", hits)
    add("fp", falses)
    add("fn", required - hits)
    add("ignored", ignored)
    add("P", precision)
    add("R", recall)
    add("F1", 2 * precision * recall / max(1e-9, precision + recall))
  }
}

enum Percentile {
  /// The value below which `percent` of the values are, linearly between two of them
  /// (Hyndman and Fan's type 7); nil for none.
  static func of(_ values: [Double], _ percent: Double) -> Double? {
    let sorted = values.sorted()
    guard let last = sorted.last else { return nil }
    let place = percent / 100 * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }
}

/// How often an event claimed to be right, and whether it was.
package struct Claim: Sendable, Hashable {
  /// 0 to 1.
  package let confidence: Double
  package let isRight: Bool

  package init(confidence: Double, isRight: Bool) {
    self.confidence = confidence
    self.isRight = isRight
  }
}

/// What a scorer found.
package struct ScoreSheet: Sendable {
  package internal(set) var kind: ScoreKind
  /// By group, in the order of their names.
  package internal(set) var scores: [Score] = []
  /// Of the events that were right or wrong; don't-cares are left out.
  package internal(set) var claims: [Claim] = []
  /// How far off the times were, seconds, by what they are times of.
  package internal(set) var timeErrors: [(name: String, seconds: [Double])] = []
}
