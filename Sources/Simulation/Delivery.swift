import Tracking

/// What happens to fixes between the receiver and the file.
package struct Delivery: Sendable {
  /// Times without fixes, in seconds after the start of the path.
  package var gaps: [ClosedRange<Double>] = []
  /// More gaps at random: how many an hour, and their mean length in seconds.
  package var randomGaps: (perHour: Double, meanLength: Double)?
  /// Share of the fixes that come twice.
  package var duplicateShare = 0.0
  /// Share of the fixes that come late, by 1 to `latest` positions.
  package var lateShare = 0.0
  package var latest = 20

  package init() {}
}

extension Delivery {
  func delivered(_ fixes: [Fix], of path: TruePath, seed: UInt64) -> [Fix] {
    var random = SeededGenerator(seed: seed, purpose: Purpose.delivery)
    let gaps = gaps + drawGaps(lasting: path.duration, &random)
    let heard = fixes.filter { fix in
      guard let second = fix.time?.seconds(since: path.start) else { return true }
      return !gaps.contains { $0.contains(second) }
    }
    return disordered(heard, &random)
  }

  private func drawGaps(
    lasting duration: Double, _ random: inout SeededGenerator
  ) -> [ClosedRange<Double>] {
    guard let randomGaps, randomGaps.perHour > 0 else { return [] }
    var gaps: [ClosedRange<Double>] = []
    var second = random.exponential(mean: 3600 / randomGaps.perHour)
    while second < duration {
      let end = second + random.exponential(mean: randomGaps.meanLength)
      gaps.append(second...end)
      second = end + random.exponential(mean: 3600 / randomGaps.perHour)
    }
    return gaps
  }

  func disordered(_ fixes: [Fix], _ random: inout SeededGenerator) -> [Fix] {
    guard duplicateShare > 0 || lateShare > 0 else { return fixes }
    var waiting: [(fix: Fix, places: Int)] = []
    var delivered: [Fix] = []
    for fix in fixes {
      if random.happens(lateShare) {
        waiting.append((fix, 1 + Int(random.unit() * Double(max(1, latest)))))
        continue
      }
      delivered.append(fix)
      if random.happens(duplicateShare) { delivered.append(fix) }
      for index in waiting.indices { waiting[index].places -= 1 }
      delivered += waiting.filter { $0.places <= 0 }.map(\.fix)
      waiting.removeAll { $0.places <= 0 }
    }
    return delivered + waiting.map(\.fix)
  }
}
