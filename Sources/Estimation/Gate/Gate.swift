internal import Geodesy

/// Validates fixes (the gate of the filter), with one rule for each defect.
///
/// A fix that cannot follow the last accepted one (a position jump or a clock jump) waits for the
/// next fix. If that one follows from it, both are accepted and the track has a break before them; if
/// not, it was an outlier. Fixes that are too late to be used are dropped, until ``Retreat/confirming``
/// of them in a row follow from each other: then the clock was set back.
///
/// Call ``validate(_:limits:)`` for each fix in the order of arrival. Only the outcome `late` needs
/// an answer: see ``settleLate(_:_:limits:)``. A fix costs O(1). Docs/Decisions/0004-the-gate.md
/// has the reasons for each rule.
package struct Gate: Sendable, Hashable, Codable {
  /// The result of validation.
  ///
  /// The cases that carry a fix are rare and indirect, so that the common ones are a word.
  package enum Outcome {
    /// Dropped and counted.
    case dropped(Defect)
    /// Held until the next one confirms or rejects it.
    case waits(HoldReason)
    /// A little earlier than the last one: ``settleLate(_:)`` must be called with its result.
    case late
    /// Accepted; the device came here from the last fix before it, if there was one.
    case accepted
    /// Accepted together with the one that waited, which came after a long silence.
    indirect case acceptedAfterGap(waiting: Fix)
    /// Accepted together with the one that waited, which begins a new stretch of track, perhaps with
    /// another clock.
    indirect case acceptedAfterBreak(waiting: Fix, hasNewClock: Bool)
    /// Accepted, and begins a new stretch of track: the clock was set back, as the fixes before it that
    /// were dropped have shown.
    case acceptedOnEarlierClock
  }

  /// How a fix relates to one that was accepted before it.
  private enum Link {
    /// Later, and near enough to be reached in the time between.
    case follows
    /// At the same instant, with the same coordinate to the last digit.
    case duplicate
    /// At the same instant, elsewhere.
    case sameTime
    /// Earlier, by no more than ``GateLimits/clockJump``.
    case late
    /// Neither right nor wrong by itself: the next fix decides.
    case suspect(HoldReason)
  }

  /// Why a fix waits.
  package enum HoldReason: String, Sendable, Hashable, Codable {
    /// It is farther away than ``GateLimits/speed`` and ``GateLimits/slack`` allow.
    case teleport
    /// It is more than ``GateLimits/clockJump`` earlier or later, and not in the device's rhythm.
    case clockJump
  }

  /// A fix that waits, and why.
  package struct Waiting: Sendable, Hashable, Codable {
    var fix: Fix
    var reason: HoldReason
    /// Since when the device may be elsewhere: the time of the last fix with a doubtful position that waits
    /// or waited since the last accepted one; nil when there was none.
    package var doubt: Timestamp?

    // The keys of checkpoints stay as they were.
    private enum CodingKeys: String, CodingKey {
      case fix
      case reason = "doubt"
      case doubt = "since"
    }
  }

  /// What became of every fix so far, by reason.
  package var counts = GateCounts()
  /// The last accepted fix, without its impossible fields; nil before the first.
  package var last: Fix?
  /// Seconds between the last two fixes that were accepted; 0 before the second.
  var interval = 0.0
  /// A fix that waits for the next one.
  package var waiting: Waiting?
  /// The fixes that came too late since the last one that was accepted; nil when there were none.
  var retreat: Retreat?
  /// What was accepted, to know it when it is sent again.
  var seen = SeenFixes()

  /// Since when the device is silent.
  ///
  /// Nil before the first fix, and while a fix waits whose date is far ahead: it ends a silence or is
  /// wrong, so how long the device has been silent is not known.
  @inline(__always)
  package var heard: Timestamp? {
    guard let start = last?.time else { return nil }
    guard let waiting, isStepForwards(to: waiting) else { return start }
    return nil
  }

  /// Whether an engine counts and marks so; a state that was read may have any numbers.
  package var isValid: Bool { counts.isPossible && seen.isValid }

  /// A gate that has seen nothing.
  package init() {}

  /// Validates one fix and, if it is accepted, keeps it as the last one.
  ///
  /// Impossible fields of `fix` become unknown.
  ///
  /// The first rule that applies decides, in this order: no time, no position, not on Earth, the
  /// placeholder 0, 0, far less accurate than the fix before. A fix that passes them is compared
  /// with the last accepted one. The first fix of a device is accepted, as nothing contradicts it.
  ///
  /// - Returns: what became of the fix; ``Outcome`` has what the caller does with each.
  /// - Complexity: O(1).
  package mutating func validate(_ fix: inout Fix, limits: GateLimits) -> Outcome {
    counts.received += 1
    guard fix.time != nil else { return drop(.timeless) }
    guard fix.mode != .none else { return drop(.withoutPosition) }
    guard fix.coordinate.isValid else { return drop(.invalid) }
    if fix.removeImpossibleFields() { counts.cleaned += 1 }
    guard !isPlaceholder(fix) else { return drop(.withoutPosition) }
    guard let last else { return accept(fix) }
    guard !isTooCoarse(fix, after: last) else { return drop(.coarse) }

    switch Self.link(from: last, to: fix, usually: interval, limits: limits) {
    case .follows:
      rejectHeld()
      return accept(fix)
    case .duplicate: return drop(.duplicate)
    case .sameTime: return drop(.sameTime)
    case .late: return confirmsRetreat(fix, limits) ? acceptOnEarlierClock(fix) : .late
    case .suspect(let reason): return weigh(fix, reason, limits: limits)
    }
  }

  /// Counts a late fix: the reason for dropping it, or nil when it was inserted.
  ///
  /// - Parameters:
  ///   - fix: The fix for which ``validate(_:limits:)`` returned `late`.
  ///   - defect: What the caller found when it tried to insert the fix, if ``mayInsert(_:limits:)``
  ///     allows it.
  package mutating func settleLate(_ fix: Fix, _ defect: Defect?, limits: GateLimits) {
    if let defect {
      counts[defect] += 1
      // A repetition is no evidence: a source may send a batch again.
      if defect != .duplicate { noteRetreat(fix, limits) }
    } else {
      count(accepted: fix)
      counts.reordered += 1
    }
  }

  /// Whether a late fix is not too late to be put in order.
  package func mayInsert(_ fix: Fix, limits: GateLimits) -> Bool {
    guard let last = last?.time, let time = fix.time else { return false }
    return last.seconds(since: time) <= limits.lateness
  }

  /// A suspect fix confirms the one that waits, or replaces it.
  private mutating func weigh(_ fix: Fix, _ reason: HoldReason, limits: GateLimits) -> Outcome {
    let earlier = waiting
    if let earlier {
      // Two steps forwards do not contradict each other, however long they are. A step back followed by
      // a step forwards does: the first one was wrong.
      let usual = isStepForwards(to: earlier) ? Double.infinity : interval
      switch Self.link(from: earlier.fix, to: fix, usually: usual, limits: limits) {
      case .follows:
        let outcome = confirm(earlier, limits)
        _ = accept(fix)
        return outcome
      case .duplicate: return drop(.duplicate)
      case .sameTime: return drop(.sameTime)
      case .late:
        // Of two dates far ahead the earlier one is believed: the next fixes could not follow a wrong later
        // one until its time has come.
        guard isStepForwards(to: earlier), reason == .clockJump else { return drop(.outOfOrder) }
        rejectHeld()
      case .suspect: rejectHeld()
      }
    }
    let doubt = reason == .teleport ? fix.time : earlier?.doubt
    waiting = Waiting(fix: fix, reason: reason, doubt: doubt)
    counts.waiting = 1
    return .waits(reason)
  }

  private func isStepForwards(to waiting: Waiting) -> Bool {
    guard waiting.reason == .clockJump, let before = last?.time, let time = waiting.fix.time else {
      return false
    }
    return time > before
  }

  private mutating func drop(_ defect: Defect) -> Outcome {
    counts[defect] += 1
    return .dropped(defect)
  }

  @inline(__always)
  private mutating func count(accepted fix: Fix) {
    counts.accepted += 1
    seen.note(fix, number: counts.accepted)
  }

  /// Makes a fix the last one; a series of late fixes ends with it.
  mutating func accept(_ fix: Fix) -> Outcome {
    count(accepted: fix)
    if let time = fix.time, let before = last?.time {
      interval = max(0, time.seconds(since: before))
    }
    last = fix
    retreat = nil
    return .accepted
  }

  /// Whether the position is 0, 0 to the last digit and the device was not near there before:
  /// receivers and programs without a position write that.
  private func isPlaceholder(_ fix: Fix) -> Bool {
    guard fix.coordinate.latitude == 0, fix.coordinate.longitude == 0 else { return false }
    return last?.coordinate.isWithin(Self.placeholderReach, of: fix.coordinate) != true
  }

  /// Whether a fix claims to be far less accurate than the last one, which is still fresh.
  ///
  /// A position of the mobile network between those of satellites would make the estimate worse.
  private func isTooCoarse(_ fix: Fix, after last: Fix) -> Bool {
    guard isFarCoarser(fix, than: last), let time = fix.time, let before = last.time else {
      return false
    }
    return abs(time.seconds(since: before)) < Self.freshTime
  }

  /// Whether a fix claims to be far less accurate than another one, if there is one.
  func isFarCoarser(_ fix: Fix, than last: Fix?) -> Bool {
    guard let last, let accuracy = fix.horizontalAccuracy, accuracy > Self.coarseAccuracy else {
      return false
    }
    return accuracy > Self.coarseFactor * (last.horizontalAccuracy ?? MotionModel.unknownAccuracy)
  }

  /// A coarse fix claims more than this, metres, and than so many times what the last one claimed,
  /// which is not older than that, seconds.
  private static let coarseAccuracy = 200.0
  private static let coarseFactor = 3.0
  private static let freshTime = 1_800.0
  /// Within this of 0, 0 a device may really be there, metres.
  private static let placeholderReach = 10_000.0
  /// A step that is at most so many times as long as the one before it is the device's rhythm.
  private static let rhythm = 4.0

  /// The next fix confirmed the one that waited: it was right, or the clock has changed.
  private mutating func confirm(_ earlier: Waiting, _ limits: GateLimits) -> Outcome {
    waiting = nil
    counts.waiting = 0
    count(accepted: earlier.fix)
    defer { last = earlier.fix }
    guard let before = last?.time, let time = earlier.fix.time,
      earlier.reason == .clockJump
    else {
      counts.believedTeleports += 1
      return .acceptedAfterBreak(waiting: earlier.fix, hasNewClock: false)
    }
    let silence = time.seconds(since: before)
    if silence > 0, silence <= limits.silence {
      return .acceptedAfterGap(waiting: earlier.fix)
    }
    counts.believedClockJumps += 1
    return .acceptedAfterBreak(waiting: earlier.fix, hasNewClock: true)
  }

  /// Counts the fix that waits, if there is one, as an outlier under the name of its defect.
  mutating func rejectHeld() {
    guard let reason = waiting?.reason else { return }
    waiting = nil
    counts.waiting = 0
    switch reason {
    case .teleport: counts[.teleport] += 1
    case .clockJump: counts[.clockJump] += 1
    }
  }

  /// How a fix relates to an earlier one: by their times first, then by the way between them.
  ///
  /// - Parameter interval: The step before, seconds.
  private static func link(
    from earlier: Fix, to fix: Fix, usually interval: Double, limits: GateLimits
  ) -> Link {
    // Both have times: only such fixes come this far.
    guard let start = earlier.time, let time = fix.time else { return .late }
    if time == start {
      return fix.coordinate == earlier.coordinate ? .duplicate : .sameTime
    }
    let elapsed = time.seconds(since: start)
    if elapsed < 0 { return elapsed < -limits.clockJump ? .suspect(.clockJump) : .late }
    if elapsed > limits.clockJump, elapsed > rhythm * interval { return .suspect(.clockJump) }
    return limits.allow(earlier.coordinate, to: fix.coordinate, in: elapsed)
      ? .follows : .suspect(.teleport)
  }
}

extension Fix {
  /// Turns fields that no receiver can mean (a negative speed, an accuracy of 0, which many sources
  /// write for "unknown") into unknown ones.
  ///
  /// - Returns: whether any was removed.
  mutating func removeImpossibleFields() -> Bool {
    var changed = false
    func check(_ field: inout Double?, _ isPossible: (Double) -> Bool) {
      if let value = field, !(value.isFinite && isPossible(value)) {
        field = nil
        changed = true
      }
    }
    check(&horizontalAccuracy) { $0 > 0 && $0 <= Self.farthest }
    check(&verticalAccuracy) { $0 > 0 }
    check(&altitude) { _ in true }
    check(&speed) { $0 >= 0 && $0 <= Self.fastest }
    check(&speedAccuracy) { $0 >= 0 }
    check(&course) { $0 >= 0 && $0 < 360 }
    check(&courseAccuracy) { $0 >= 0 }
    return changed
  }

  /// No two places are farther from each other, metres: half a meridian of WGS 84, rounded up.
  private static var farthest: Double { 20_003_932 }
  /// The speed of light, metres per second.
  private static var fastest: Double { 299_792_458 }
}
