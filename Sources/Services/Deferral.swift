internal import Geodesy
internal import Tracking

/// Locations that may be told later, together.
struct Deferral: Sendable {
  private let distance: Double
  private let timeout: Double
  private var travelled = 0.0
  private var last: Coordinate?
  /// When it ends at the latest; nil until the time is known, or without an end.
  private(set) var deadline: Timestamp?
  /// What is held back; only in the background.
  private(set) var held: [Report] = []

  /// So many are held back at most, then they are told.
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

  /// Takes a report, and holds it back if that is wanted; true when the aim is reached.
  mutating func takes(_ report: Report, holds: Bool) -> Bool {
    let place = report.fix.coordinate
    if let last { travelled += last.distance(to: place) }
    last = place
    if holds { held.append(report) }
    return travelled >= distance || held.count >= Self.longestBatch
  }

  mutating func takeHeld() -> [Report] {
    defer { held = [] }
    return held
  }
}
