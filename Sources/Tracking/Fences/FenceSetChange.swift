/// What becomes of fences when a set takes the place of another: made once, for all devices.
struct FenceSetChange: Sendable {
  private static var none: Int32 { -1 }

  /// By old number the new one of a fence that keeps its id, else ``none``.
  private let numbers: [Int32]
  /// By old number whether a fence keeps its area.
  private let keepsArea: [Bool]
  /// By old number whether a fence is judged by the same rule as before.
  private let keepsRule: [Bool]
  /// New numbers of the fences that are new or have another area, ascending.
  let added: [Int]
  /// Whether of a fence that is far away nothing is said unless something was.
  let isLarge: Bool

  /// - Complexity: O(n).
  init(from old: FenceSet, to new: FenceSet) {
    var numbers = [Int32](repeating: Self.none, count: old.count)
    var keepsRule = [Bool](repeating: false, count: old.count)
    var keepsArea = keepsRule
    var added: [Int] = []
    for index in new.indices {
      guard let before = old.table.index(ofName: new.table.name(index)) else {
        added.append(index)
        continue
      }
      numbers[before] = Int32(index)
      keepsArea[before] = old.table.hasSameArea(before, as: index, of: new.table)
      if !keepsArea[before] { added.append(index) }
      keepsRule[before] = old.settings(before).decision == new.settings(index).decision
    }
    (self.numbers, self.keepsArea, self.keepsRule) = (numbers, keepsArea, keepsRule)
    self.added = added
    isLarge = new.count > FenceMonitor.mostInitialReports
  }

  /// The new number of a fence that stays as it is.
  func number(of fence: Int) -> Int? {
    guard keepsArea.indices.contains(fence), keepsArea[fence] else { return nil }
    return Int(numbers[fence])
  }

  /// The new number of a fence that has another area.
  func numberOfMoved(_ fence: Int) -> Int? {
    guard numbers.indices.contains(fence), numbers[fence] != Self.none, !keepsArea[fence] else {
      return nil
    }
    return Int(numbers[fence])
  }

  func keepsRule(_ fence: Int) -> Bool { keepsRule.indices.contains(fence) && keepsRule[fence] }
}

extension FenceMonitor {
  /// The fences changed: what is known of those that stay as they are is kept.
  /// - Complexity: O(what is known of the device).
  mutating func adopt(_ change: FenceSetChange) {
    neighbourhood.clear()
    let known = self
    stays = known.stays.compactMap { stay in
      change.number(of: stay.fence).map { Stay(fence: $0, since: stay.since, dwelt: stay.dwelt) }
    }.sorted { $0.fence < $1.fence }
    undecided = known.undecided.compactMap { entry in
      change.number(of: entry.fence).map {
        Undecided(fence: $0, since: entry.since, lost: entry.lost)
      }
    }
    if change.isLarge {
      // Where it was inside it is told anew, however far away that is now.
      undecided += known.stays.compactMap { change.numberOfMoved($0.fence) }.map {
        Undecided(fence: $0)
      }
    }
    undecided.sort { $0.fence < $1.fence }
    edges = known.edges.compactMap { edge in
      guard change.keepsRule(edge.fence), let number = change.number(of: edge.fence) else {
        return nil
      }
      var edge = edge
      edge.fence = number
      return edge
    }.sorted { $0.fence < $1.fence }
    guard !pending.areAll else { return }
    let kept = known.pending.list.compactMap(change.number(of:))
    pending = PendingFences(kept.isEmpty ? change.added : (kept + change.added).sorted())
  }
}
