/// The size of the crowd.
struct Plan: Sendable {
  /// Fixes of the recording, a second each.
  var fixes = 100_000
  /// Managers that listen from before the first fix to after the last.
  var managers = 1_000
  /// Seed of every random number.
  var seed: UInt64 = 1

  /// Circles that are monitored throughout, of which ``regionsOnWay`` are crossed in every round.
  static let regions = 100
  static let regionsOnWay = 20
  /// Threads that run their loops for managers; the main queue is one place more.
  static let threads = 3
  /// Threads, or tasks, of the passers-by.
  static let passersby = 4

  /// Reads `[FIXES [MANAGERS [SEED]]]`; nil when they are invalid.
  init?(_ arguments: ArraySlice<String>) {
    let numbers = arguments.compactMap { UInt64($0) }
    guard numbers.count == arguments.count, numbers.count <= 3 else { return nil }
    if let number = numbers.first { fixes = Int(clamping: number) }
    if numbers.count > 1 { managers = Int(clamping: numbers[1]) }
    if numbers.count > 2 { seed = numbers[2] }
    // Each of the places gets a manager, and there is a tenth.
    guard fixes >= 10, managers > Self.threads else { return nil }
  }

  /// The managers of each of `count` places.
  func shares(of count: Int) -> [Int] {
    (0..<count).map { managers * ($0 + 1) / count - managers * $0 / count }
  }
}
