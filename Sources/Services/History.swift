internal import Tracking

/// A sample of the locations so far, in constant memory: when it is full, every second location is
/// dropped, and from then on only every second one is added.
struct History: Sendable {
  private var kept: [Location] = []
  private var stride = 1
  private var passed = 0
  private var last: Location?

  private static let capacity = 2_048

  mutating func note(_ location: Location) {
    last = location
    defer { passed += 1 }
    guard passed % stride == 0 else { return }
    if kept.count == Self.capacity {
      kept = kept.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      stride *= 2
      guard passed % stride == 0 else { return }
    }
    kept.append(location)
  }

  /// At most `count` locations, evenly distributed, oldest first; the newest is included.
  func sample(_ count: Int) -> [Location] {
    guard count > 0, let last else { return [] }
    let all = kept.last == last ? kept : kept + [last]
    guard all.count > count else { return all }
    guard count > 1 else { return [last] }
    return (0..<count).map { all[$0 * (all.count - 1) / (count - 1)] }
  }
}
