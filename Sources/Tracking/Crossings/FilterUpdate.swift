internal import Geodesy

/// One update of the filter: the fix, the way to it, and the estimate.
///
/// It is made once a fix and given to all monitors, which need nothing else of the engine.
struct FilterUpdate {
  /// The accepted fix, without its impossible fields.
  let fix: Fix
  /// The fix's time.
  let time: Timestamp
  /// When the engine accepted the fix.
  let decided: Timestamp
  /// The fix before; nil when the way from there is not known.
  let previous: Fix?
  /// The estimate before; nil when the way from there is not known.
  let before: Estimate?
  /// The estimate with the fix.
  let estimate: Estimate
  /// The places where the device may be.
  let positions: PositionMixture
  /// Where the fix is on their map.
  let place: Vector
  /// How the device reports.
  let rhythm: Rhythm
  /// The contradiction that ended with this fix, as the estimate has caught up; usually nil.
  let ended: Contradiction?
  /// The contradiction that goes on: the estimate has not caught up with the fixes; usually nil.
  let contradiction: Contradiction?
  /// A silence that ended a short while ago with the position before it; usually nil.
  let wake: Wake?
  /// Whether the fix contradicts the estimate.
  var isContradicted: Bool { contradiction != nil }
  /// A box around all places where the device may be or may have been on the way.
  let reach: Box

  @inline(__always)
  init(
    fix: Fix, time: Timestamp, decided: Timestamp, previous: Fix?, before: Estimate?,
    _ found: FixEstimate, rhythm: Rhythm, ended: Contradiction?, contradiction: Contradiction?,
    wake: Wake?
  ) {
    self.wake = wake
    self.contradiction = contradiction
    self.ended = ended
    self.rhythm = rhythm
    (self.fix, self.time, self.decided) = (fix, time, decided)
    (self.previous, self.before, estimate) = (previous, before, found.estimate)
    (positions, place) = (found.positions, found.place)
    // Fences beyond four sigmas of the widest hypothesis are not judged.
    let sigma = max(estimate.widest, before?.widest ?? 0)
    var path = Box(
      pathFrom: before?.coordinate ?? estimate.coordinate, to: estimate.coordinate)
    if let ended {
      path = path.union(Box(pathFrom: ended.start.coordinate, to: ended.coordinate))
        .union(Box(pathFrom: ended.coordinate, to: estimate.coordinate))
    }
    let fixes = Box(pathFrom: previous?.coordinate ?? fix.coordinate, to: fix.coordinate)
    reach = path.union(fixes).expanded(byMetres: 4 * sigma)
  }

  /// The way from the fix before; nil when that is not known.
  var step: Step? { previous.map { Step(from: $0, to: fix, decided: decided) } }

  /// How far an edge is from the estimate, metres, that does not matter for the evidence: each place where
  /// the device may be is six sigmas and more away from it, and the estimate did not cross it.
  ///
  /// Nil when every edge matters, as the fixes contradict the estimate.
  @inline(__always)
  fileprivate var farDistance: Double? {
    guard contradiction == nil, ended == nil else { return nil }
    let way =
      before.map { Clearances.longestWay(from: $0.coordinate, to: estimate.coordinate) } ?? 0
    return way + positions.widestOffset + 6 * estimate.widest + 1
  }

  /// The last fix before a silence, after which only its position was repeated until this fix.
  var lastNew: Timestamp? {
    guard let wake, !wake.repeats(fix) else { return nil }
    let wasRepeated = previous.map(wake.repeats) ?? !wake.isOver
    return wasRepeated ? wake.silence : nil
  }

  /// At a time on the way, or at the fix when it is not known.
  func moment(_ time: Timestamp) -> Moment {
    step.map { GeodesicStep($0).moment(at: time) } ?? Moment(fix, time: time, decided: decided)
  }
}

/// ``FilterUpdate/farDistance`` of one update, computed for the first fence that is judged.
struct FarDistance {
  private var known: Double??

  @inline(__always)
  mutating func value(for update: FilterUpdate) -> Double? {
    if let known { return known }
    let value = update.farDistance
    known = value
    return value
  }
}
