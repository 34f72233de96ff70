internal import Geodesy
internal import Tracking

/// Locations that may be delivered later, together.
struct Deferral: Sendable {
  private let distance: Double
  private let timeout: Double
  private var travelled = 0.0
  private var last: Coordinate?
  /// The latest end; nil until the time is known, or without a limit.
  private(set) var deadline: Timestamp?
  /// The locations held back; only in the background.
  private(set) var held: [Location] = []

  /// The most locations held back; then they are delivered.
  private static let longestBatch = 10_000

  init(distance: Double, timeout: Double, at now: Timestamp?) {
    self.distance = distance
    self.timeout = timeout
    if let now { note(now) }
  }

  mutating func note(_ now: Timestamp) {
    // Core Location's "no limit" is the largest number.
    if deadline == nil, timeout < 1e9 { deadline = now.advanced(bySeconds: max(0, timeout)) }
  }

  mutating func forgetTime() { deadline = nil }

  func isOver(at now: Timestamp) -> Bool {
    deadline.map { $0 <= now } ?? false
  }

  /// Takes a location and holds it back if `holds`; true when the distance or the limit is reached.
  mutating func takes(_ location: Location, holds: Bool) -> Bool {
    let place = location.fix.coordinate
    if let last { travelled += last.distance(to: place) }
    last = place
    if holds { held.append(location) }
    return travelled >= distance || held.count >= Self.longestBatch
  }

  mutating func takeHeld() -> [Location] {
    defer { held = [] }
    return held
  }
}
