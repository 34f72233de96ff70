internal import Geodesy

/// What a fix brought: the fix, the way to it, and what the filter makes of both.
struct Sight {
  let fix: Fix
  /// The fix's time.
  let time: Timestamp
  /// When the engine believed the fix.
  let decided: Timestamp
  /// The way from the fix before; nil when that is not known.
  let step: Step?
  /// The estimate before; nil when the way from there is not known.
  let before: Estimate?
  let estimate: Estimate

  /// At a time on the way, or at the fix when it is not known.
  func moment(_ time: Timestamp) -> Moment {
    step.map { Way($0).moment(at: time) } ?? Moment(fix, time: time, decided: decided)
  }

  /// A box around all places where the device may be or may have been on the way.
  var reach: Box {
    let sigma = max(estimate.widest, before?.widest ?? 0)
    let path = Box(
      pathFrom: (before ?? estimate).coordinate, to: estimate.coordinate)
    let fixes = step?.box ?? Box(fix.coordinate)
    return path.union(fixes).expanded(byMetres: 4 * sigma)
  }
}
