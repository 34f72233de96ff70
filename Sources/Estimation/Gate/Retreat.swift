package import Geodesy
package import Packing

/// Fixes in a row that came too late to be used, each of which follows from the one before it.
///
/// A single one was delayed. Many show that the clock was set back, and their number distinguishes one
/// from the other: how far back it was set does not matter.
package struct Retreat: Sendable, Hashable, Codable {
  /// The last of them.
  package var time: Timestamp
  package var coordinate: Coordinate
  /// How many there are.
  package var count: Int

  /// The clock was set back when so many follow from each other.
  ///
  /// Our own choice (Docs/Decisions/0004-the-gate.md). So a batch of ten fixes and more that comes
  /// late, after newer ones, is taken for another clock; not one that was sent before (``SeenFixes``).
  package static let confirming = 10
}

extension Gate {
  /// Whether a late fix shows, with those before it, that the clock was set back.
  func confirmsRetreat(_ fix: Fix, _ limits: GateLimits) -> Bool {
    guard let retreat, retreat.count >= Retreat.confirming - 1, !seen.holds(fix),
      !isFarCoarser(fix, than: last)
    else { return false }
    return retreat.leads(to: fix, limits)
  }

  /// Notes a late fix that was dropped; one that is sent again ends the series.
  ///
  /// A fix that is far coarser than the last one shows nothing: when it was sent first, it was dropped beside
  /// a better one, and it has no mark.
  mutating func noteRetreat(_ fix: Fix, _ limits: GateLimits) {
    guard let time = fix.time, !isFarCoarser(fix, than: last) else { return }
    guard !seen.holds(fix) else {
      retreat = nil
      return
    }
    let count = retreat?.leads(to: fix, limits) == true ? retreat?.count ?? 0 : 0
    retreat = Retreat(time: time, coordinate: fix.coordinate, count: count + 1)
  }

  /// Accepts a fix of a clock that was set back; those before it stay dropped.
  mutating func acceptOnEarlierClock(_ fix: Fix) -> Outcome {
    rejectHeld()
    counts.believedClockJumps += 1
    _ = accept(fix)
    return .acceptedOnEarlierClock
  }
}

extension Retreat {
  /// Whether a fix follows from the last of them.
  fileprivate func leads(to fix: Fix, _ limits: GateLimits) -> Bool {
    guard let next = fix.time, next > time else { return false }
    let elapsed = next.seconds(since: time)
    return elapsed <= limits.clockJump && limits.allow(coordinate, to: fix.coordinate, in: elapsed)
  }
}

extension Retreat: Packable {
  /// A value of which reading replaces all.
  package static var blank: Retreat { Retreat(time: .blank, coordinate: .blank, count: 0) }

  /// Writes or reads the value.
  package static func code<Coder: StateCoder>(
    _ value: inout Retreat, _ coder: inout Coder
  ) {
    coder.code(&value.time)
    coder.code(&value.coordinate)
    coder.code(count: &value.count)
  }
}
