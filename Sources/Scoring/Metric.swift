/// The value of one metric.
package enum Metric: Sendable, Hashable {
  case count(Int)
  case number(Double, decimals: Int)
  /// The metric is undefined: there are no data to compute it from.
  case missing

  /// The value as a number; nil when it is undefined.
  package var value: Double? {
    switch self {
    case .count(let count): Double(count)
    case .number(let number, _): number
    case .missing: nil
    }
  }
}

/// The metrics of one group.
package struct Score: Sendable {
  package let group: String
  package fileprivate(set) var metrics: [(name: String, metric: Metric)] = []

  init(group: String) {
    self.group = group
  }

  /// A metric by its name.
  package subscript(name: String) -> Metric? { metrics.first { $0.name == name }?.metric }

  mutating func add(_ name: String, _ count: Int) {
    metrics.append((name, .count(count)))
  }

  mutating func add(_ name: String, _ number: Double, decimals: Int = 4) {
    metrics.append((name, .number(number, decimals: decimals)))
  }

  /// Adds a percentile of the values.
  mutating func add(_ name: String, _ percent: Double, of values: [Double]) {
    guard let number = Percentile.of(values, percent) else {
      return metrics.append((name, .missing))
    }
    add(name, number, decimals: 1)
  }

  /// Adds the share of the values that are at most `limit`.
  mutating func add(_ name: String, shareBelow limit: Double, of values: [Double]) {
    guard !values.isEmpty else { return metrics.append((name, .missing)) }
    add(name, Double(values.count { $0 <= limit }) / Double(values.count))
  }

  /// Adds hits, false positives and misses, and the metrics derived from them.
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

package enum Percentile {
  /// The value below which `percent` of the values are, interpolated linearly (Hyndman and Fan's
  /// type 7); nil without values.
  package static func of(_ values: [Double], _ percent: Double) -> Double? {
    let sorted = values.sorted()
    guard let last = sorted.last else { return nil }
    let position = percent / 100 * Double(sorted.count - 1)
    let index = Int(position)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (position - Double(index))
  }
}

/// The confidence of an event, and whether it was correct.
package struct Prediction: Sendable, Hashable {
  /// 0 to 1.
  package let confidence: Double
  package let isCorrect: Bool

  package init(confidence: Double, isCorrect: Bool) {
    self.confidence = confidence
    self.isCorrect = isCorrect
  }
}

/// The result of a scorer.
package struct ScoreSheet: Sendable {
  package internal(set) var kind: ScoreKind
  /// By group, in the order of their names.
  package internal(set) var scores: [Score] = []
  /// Of true and false positives; ignored events are left out.
  package internal(set) var predictions: [Prediction] = []
  /// Errors of the times, seconds, by the name of the time.
  package internal(set) var timeErrors: [(name: String, seconds: [Double])] = []
}
