internal import Geodesy
package import Tracking

/// How far a trace has been played, in its own time.
package struct TraceClock: Sendable {
  /// When the last noted fix is due.
  package private(set) var due = Timestamp(nanoseconds: .min)
  /// The time of the newest fix that had one, right or wrong.
  private var lastTime: Timestamp?

  /// A clock before the first fix.
  package init() {}

  /// Nil before the first time.
  package var reached: Timestamp? { lastTime == nil ? nil : due }

  /// Notes the next fix.
  ///
  /// A fix that the engine will drop is due at once. So is one after a clock jump of more than `clockJump`
  /// seconds, until the next fix confirms it: the engine must see it, but other traces and the
  /// device's deadlines must not follow a wrong date.
  package mutating func note(_ fix: Fix, clockJump: Double) {
    guard let time = fix.time, fix.mode != .none, fix.coordinate.isValid else { return }
    let before = lastTime
    lastTime = time
    let isNear = { (other: Timestamp) in abs(time.seconds(since: other)) <= clockJump }
    if let before, !isNear(due), !isNear(before) { return }
    due = time
  }
}
