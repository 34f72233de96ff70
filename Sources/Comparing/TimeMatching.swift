/// Matches two lists of times one to one, so that the sum of all costs is least.
///
/// A pair costs its difference in time, and a time without a partner half of the limit. So two times
/// are a pair only if they differ by at most the limit, and no pair is given up without gain: leaving
/// both of its times alone is never cheaper.
///
/// On a line the best matching need not cross: two pairs that cross cost no less than the uncrossed
/// ones. So it is an alignment of the two sorted lists, which a dynamic programme finds. Row i has the
/// least costs of the first i times of one list and the first j of the other. It holds only the j up
/// to which no time of the other list is over the limit before time i − 1 and still free, or over the
/// limit after time i and already used. An alignment that skips the earlier of two times that are no
/// pair never leaves this band.
///
/// - Complexity: O((n + m) · k) time and bytes for n and m times, of which k are within the limit of
///   one. k is small unless a device crosses an edge many times in that span.
struct TimeMatching {
  /// The numbers of the times of each pair, in order.
  private(set) var pairs: [(old: Int, new: Int)] = []

  /// The last step of an alignment.
  private enum Step: UInt8 { case start, pair, skipOld, skipNew }

  private struct Row {
    /// The first j of the row.
    let first: Int
    var costs: [Int64] = []
    var steps: [Step] = []

    func cost(_ j: Int) -> Int64? {
      costs.indices.contains(j - first) ? costs[j - first] : nil
    }

    func step(_ j: Int) -> Step { steps[j - first] }
  }

  private let old: [Int64]
  private let new: [Int64]
  private let limit: Int64

  /// Matches two sorted lists.
  ///
  /// - Parameter limit: The largest difference of a pair, in the unit of the times.
  init(_ old: [Int64], _ new: [Int64], limit: Int64) {
    (self.old, self.new, self.limit) = (old, new, limit)
    guard !old.isEmpty, !new.isEmpty else { return }
    var rows: [Row] = []
    rows.reserveCapacity(old.count + 1)
    var (first, end) = (0, 0)
    for i in 0...old.count {
      while i > 0, first < new.count, new[first] < old[i - 1] - limit { first += 1 }
      while end < new.count, i == old.count || new[end] <= old[i] + limit { end += 1 }
      rows.append(row(i, first...end, above: rows.last))
      // Only the steps are needed later.
      if i > 0 { rows[i - 1].costs = [] }
    }
    trace(rows)
  }

  private func row(_ i: Int, _ range: ClosedRange<Int>, above: Row?) -> Row {
    var row = Row(first: range.lowerBound)
    // Costs are doubled, so half of the limit is exact. One more makes a pair at the limit cheaper.
    let alone = limit + 1
    for j in range {
      var (best, step) = (i + j == 0 ? 0 : Int64.max, Step.start)
      func consider(_ before: Int64?, _ cost: Int64, _ next: Step) {
        if let before, before + cost < best { (best, step) = (before + cost, next) }
      }
      if i > 0, j > 0 {
        let difference = abs(old[i - 1] - new[j - 1])
        if difference <= limit { consider(above?.cost(j - 1), 2 * difference, .pair) }
      }
      consider(above?.cost(j), alone, .skipOld)
      consider(row.cost(j - 1), alone, .skipNew)
      row.costs.append(best)
      row.steps.append(step)
    }
    return row
  }

  /// Walks back from the end of both lists.
  private mutating func trace(_ rows: [Row]) {
    var (i, j) = (old.count, new.count)
    while i + j > 0 {
      switch rows[i].step(j) {
      case .start: return
      case .pair:
        (i, j) = (i - 1, j - 1)
        pairs.append((i, j))
      case .skipOld: i -= 1
      case .skipNew: j -= 1
      }
    }
    pairs.reverse()
  }
}
