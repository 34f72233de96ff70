/// Matches two lists of times one to one, so that the sum of all costs is least.
///
/// A pair costs its difference in time. A time without a partner costs half of the limit. So two
/// times are a pair only if they differ by at most the limit, and as many as possible are: leaving
/// both alone is never cheaper.
///
/// On a line the best matching never crosses: of two pairs that cross, the uncrossed ones cost no
/// more. So it is an alignment of the two sorted lists, which a dynamic programme finds: `cost[i][j]`
/// is the least cost of the first i times of one list and the first j of the other. A row i holds
/// only the j between the times that ended too long before time i − 1 and those that begin too long
/// after time i: an alignment that skips the earlier of two times that are no pair stays there.
///
/// - Complexity: O((n + m) · k) time and bytes for n and m times, of which k are within the limit of
///   one: k is small unless a device crosses an edge many times in that span.
struct TimeMatching {
  /// The numbers of the times of each pair, in order.
  private(set) var pairs: [(old: Int, new: Int)] = []

  private enum Step: UInt8 { case none, pair, skipOld, skipNew }

  private struct Row {
    let first: Int
    var steps: [Step]
  }

  /// Matches two sorted lists.
  ///
  /// - Parameter limit: The largest difference of a pair, in the unit of the times.
  init(_ old: [Int64], _ new: [Int64], limit: Int64) {
    guard !old.isEmpty, !new.isEmpty else { return }
    // Twice the costs, to halve the limit exactly; one more, so that a pair at the limit is cheaper.
    let alone = limit + 1
    var rows: [Row] = []
    rows.reserveCapacity(old.count + 1)
    var (first, end) = (0, 0)
    var (above, aboveFirst): ([Int64], Int) = ([], 0)
    for i in 0...old.count {
      if i > 0 { while first < new.count, new[first] < old[i - 1] - limit { first += 1 } }
      while end < new.count, i == old.count || new[end] <= old[i] + limit { end += 1 }
      var (row, costs) = (Row(first: first, steps: []), [Int64]())
      for j in first...end {
        var (best, step) = i + j == 0 ? (0, Step.none) : (Int64.max, .none)
        if i > 0, j > aboveFirst, j - 1 - aboveFirst < above.count {
          let difference = abs(old[i - 1] - new[j - 1])
          if difference <= limit {
            (best, step) = (above[j - 1 - aboveFirst] + 2 * difference, .pair)
          }
        }
        if i > 0, j - aboveFirst < above.count, above[j - aboveFirst] + alone < best {
          (best, step) = (above[j - aboveFirst] + alone, .skipOld)
        }
        if j > first, costs[j - 1 - first] + alone < best {
          (best, step) = (costs[j - 1 - first] + alone, .skipNew)
        }
        costs.append(best)
        row.steps.append(step)
      }
      rows.append(row)
      (above, aboveFirst) = (costs, first)
    }
    trace(rows, new.count)
  }

  /// Walks back from the end of both lists.
  private mutating func trace(_ rows: [Row], _ count: Int) {
    var (i, j) = (rows.count - 1, count)
    while i + j > 0 {
      switch rows[i].steps[j - rows[i].first] {
      case .pair:
        (i, j) = (i - 1, j - 1)
        pairs.append((i, j))
      case .skipOld: i -= 1
      case .skipNew: j -= 1
      case .none: return
      }
    }
    pairs.reverse()
  }
}
