/// Periods that are found by time, without a look at each of them.
///
/// It is an interval tree: a period is the root of those around it in the order of their starts, and
/// knows the latest end among them (T. H. Cormen et al., Introduction to Algorithms, section 14.3).
struct PeriodIndex {
  private let periods: [Period]
  /// The indices of the periods, by start.
  private var order: [Int] = []
  /// The latest end in the tree of each root.
  private var latestEnds: [Double] = []

  /// - Complexity: O(n log n).
  init(_ periods: [Period]) {
    self.periods = periods
    order = periods.indices.sorted { (periods[$0].start, $0) < (periods[$1].start, $1) }
    latestEnds = Array(repeating: -.infinity, count: order.count)
    _ = build(order.indices)
  }

  private mutating func build(_ range: Range<Int>) -> Double {
    guard !range.isEmpty else { return -.infinity }
    let root = Self.root(of: range)
    let ends = (build(range.lowerBound..<root), build(root + 1..<range.upperBound))
    latestEnds[root] = max(periods[order[root]].end, max(ends.0, ends.1))
    return latestEnds[root]
  }

  private static func root(of range: Range<Int>) -> Int {
    range.lowerBound + range.count / 2
  }

  /// The indices of the periods that overlap or touch another, ascending.
  ///
  /// - Complexity: O(k log n) for k periods.
  func overlapping(_ period: Period) -> [Int] {
    var found: [Int] = []
    search(order.indices, period, &found)
    return found.sorted()
  }

  private func search(_ range: Range<Int>, _ period: Period, _ found: inout [Int]) {
    guard !range.isEmpty else { return }
    let root = Self.root(of: range)
    guard latestEnds[root] >= period.start else { return }
    search(range.lowerBound..<root, period, &found)
    let candidate = periods[order[root]]
    guard candidate.start <= period.end else { return }
    if candidate.end >= period.start { found.append(order[root]) }
    search(root + 1..<range.upperBound, period, &found)
  }
}
