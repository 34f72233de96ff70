/// The numbers of steps by their seconds: whole ones, of steps above an hour whole minutes.
struct StepIntervals: Sendable {
  private var counts: [Int: Int] = [:]

  /// Longer steps count as this one, some three years, which limits the number of different ones.
  private static let longest = 1e8

  /// Counts a step.
  mutating func add(_ seconds: Double) {
    let seconds = Int(min(seconds, Self.longest).rounded())
    counts[seconds <= 3_600 ? seconds : (seconds + 30) / 60 * 60, default: 0] += 1
  }

  /// How many steps it has.
  var count: Int { counts.values.reduce(0, +) }

  /// The lower median; nil without steps.
  var median: Int? {
    let total = count
    var below = 0
    for (seconds, count) in counts.sorted(by: { $0.key < $1.key }) {
      below += count
      if 2 * below >= total { return seconds }
    }
    return nil
  }
}
