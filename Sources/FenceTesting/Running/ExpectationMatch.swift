internal import EventLog
internal import Tracking

/// Which events of a log meet which expectations, in order.
///
/// Each expectation takes the first event after that of the one before that meets it: if all can be met
/// in order, this meets all.
struct ExpectationMatch {
  /// An event that was not the expected one, but the nearest.
  struct Nearest {
    /// The event's number in the log.
    var number: Int
    /// Whether it lies between the events of the expectations before and after.
    var isInOrder: Bool
  }

  /// The numbers of the events that meet the expectations.
  private(set) var met: [Int?] = []
  /// The nearest events of those that are not met.
  private(set) var nearest: [Nearest?]
  /// The events that meet an expectation or are the nearest of one.
  private(set) var taken: Set<Int>

  init(_ expectations: [Expectation], _ entries: [LogEntry]) {
    var next = 0
    for expectation in expectations {
      let number = entries[next...].firstIndex(where: expectation.matches)
      met.append(number)
      next = number.map { $0 + 1 } ?? next
    }
    taken = Set(met.compactMap(\.self))
    nearest = Array(repeating: nil, count: expectations.count)
    var first = 0
    for (index, expectation) in expectations.enumerated() {
      if let number = met[index] {
        first = number + 1
        continue
      }
      let end = met[index...].lazy.compactMap(\.self).first ?? entries.count
      let candidates = entries.indices.filter {
        !taken.contains($0) && expectation.pattern.matches(entries[$0])
      }
      let inOrder = candidates.filter { first <= $0 && $0 < end }
      let isInOrder = !inOrder.isEmpty
      guard let number = Self.nearest(isInOrder ? inOrder : candidates, expectation, entries) else {
        continue
      }
      nearest[index] = Nearest(number: number, isInOrder: isInOrder)
      taken.insert(number)
      if isInOrder { first = number + 1 }
    }
  }

  private static func nearest(
    _ candidates: [Int], _ expectation: Expectation, _ entries: [LogEntry]
  ) -> Int? {
    guard let when = expectation.when else { return candidates.first }
    return candidates.min { distance($0, when) < distance($1, when) }

    func distance(_ number: Int, _ when: Timestamp) -> Double {
      expectation.when(entries[number]).map { abs($0.seconds(since: when)) } ?? .infinity
    }
  }
}
