/// The difference between two sets of fences: made once, for all devices.
///
/// Fences are the same when their ids are. A device keeps its state of those whose area is the
/// same, and its evidence where the rule is the same too.
package struct FenceSetChange: Sendable {
  private static var none: Int32 { -1 }

  /// By old number the new one of a fence that keeps its id, else ``none``.
  private let numbers: [Int32]
  /// By old number whether a fence keeps its area.
  private let keepsArea: [Bool]
  /// By old number whether a fence is judged by the same rule as before.
  private let keepsRule: [Bool]
  /// New numbers of the fences that are new or have another area, ascending.
  package let added: [Int]
  /// How many fences there are now.
  package let count: Int

  /// - Complexity: O(n).
  package init(from old: FenceSet, to new: FenceSet) {
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
    count = new.count
  }

  /// The new number of a fence that stays as it is.
  ///
  /// Nil when it has another area, or there is none of its id.
  package func number(of fence: Int) -> Int? {
    guard keepsArea.indices.contains(fence), keepsArea[fence] else { return nil }
    return Int(numbers[fence])
  }

  /// The new number of a fence that has another area.
  ///
  /// Nil when its area is the same, or there is none of its id.
  package func numberOfMoved(_ fence: Int) -> Int? {
    guard numbers.indices.contains(fence), numbers[fence] != Self.none, !keepsArea[fence] else {
      return nil
    }
    return Int(numbers[fence])
  }

  /// Whether a fence, by its old number, is judged by the rule that it had.
  package func keepsRule(_ fence: Int) -> Bool {
    keepsRule.indices.contains(fence) && keepsRule[fence]
  }
}
