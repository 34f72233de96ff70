internal import Geodesy

/// When an edge was crossed, where the fixes themselves changed sides at another time than the estimate.
extension FenceMonitor {
  /// A crossing, with the doubt that the fixes around it leave.
  ///
  /// The last fix on the old side and the next one enclose the crossing, but for their errors. When the
  /// estimate crossed the edge at another time, that time is a part of the doubt. There was a silence
  /// between the two in which the device crossed it when the estimate was later; also when the estimate
  /// was earlier, and the fix is clearly on the old side: by one sigma of a device that would have reported
  /// on the move, by four of any other.
  mutating func bracketed(
    _ crossing: EdgeState.Candidate, _ area: Area, _ update: FilterUpdate, _ motion: Motion,
    wasInside: Bool
  ) -> EdgeState.Candidate {
    guard let (last, next) = motion.lastFix(where: { area.contains($0) == wasInside }) else {
      return crossing
    }
    let time = crossing.moment.time
    let late = time.seconds(since: next.time)
    var start = last.time
    if let wake = update.wake, wake.isAt(last.coordinate) { start = min(start, wake.silence) }
    let silence = next.time.seconds(since: start)
    let leastDepth = update.rhythm.wouldReport(within: silence) ? 1 : clearDepth
    let wasEarly =
      start > time && abs(area.signedDistance(to: last.coordinate)) > leastDepth * last.sigma
    var found = crossing
    var apart = max(late, last.time.seconds(since: time), 0)
    if late > 0 || start < last.time || wasEarly, silence > MotionModel.gap {
      if let between = lastCrossing(
        of: area, from: last.coordinate, at: start, to: next.coordinate, at: next.time, update)
      {
        found = between
        apart = wasEarly ? found.moment.time.seconds(since: time) : 0
      }
    }
    let (sigma, doubt) = (found.timeUncertainty, apart * bracketShare)
    found.timeUncertainty = (sigma * sigma + doubt * doubt).squareRoot()
    return found
  }

  /// Where the last two fixes crossed the edge, when the estimate did not: of two places where the device may
  /// be, the mean is on the side of the less probable one, if that is far enough from the edge.
  mutating func crossingOfFixes(_ area: Area, _ update: FilterUpdate) -> EdgeState.Candidate? {
    guard let previous = update.previous, let before = update.before, before.time < update.time
    else { return nil }
    var start = before.time
    if let wake = update.wake, wake.isAt(previous.coordinate) { start = min(start, wake.silence) }
    return lastCrossing(
      of: area, from: previous.coordinate, at: start, to: update.fix.coordinate, at: update.time,
      update)
  }

  /// The last crossing of an edge on the way between two fixes.
  private mutating func lastCrossing(
    of area: Area, from: Coordinate, at start: Timestamp, to: Coordinate, at end: Timestamp,
    _ update: FilterUpdate
  ) -> EdgeState.Candidate? {
    guard let fraction = lastFraction(of: area, from: from, to: to) else { return nil }
    let way = GeodesicStep(
      Step(
        from: TimedPosition(from, start, update.estimate),
        to: TimedPosition(to, end, update.estimate), decided: update.decided))
    let isSilence = end.seconds(since: start) > MotionModel.gap
    return way.lateCandidate(at: fraction, isSilence: isSilence, update, of: area)
  }
}

/// The share of the time between the crossing of the estimate and that of the fixes which counts as
/// doubt, as measured on the phones of MobilityNet (Docs/Accuracy.md).
private let bracketShare = 0.5

/// A fix that is so many sigmas from the edge shows on which side the device is.
private let clearDepth = 4.0

extension GeodesicStep {
  /// A crossing of the edge on a leg between contradicting fixes.
  ///
  /// The motion between its ends is unknown, so the crossing may be anywhere on the leg. In a silence the
  /// rhythm of the device bounds it, unless the device woke with an old position: then it does not report
  /// what it does.
  func lateCandidate(
    at fraction: Double, isSilence: Bool, _ update: FilterUpdate, of area: Area
  ) -> EdgeState.Candidate {
    var (offset, sigma) = (step.duration * fraction, step.unknown)
    let isAsleep = update.wake?.silence == step.start
    if isSilence, !isAsleep,
      let guess = silentCrossing(
        at: fraction, nil, update.estimate, update.rhythm,
        besides: timeUncertainty(at: fraction, of: area))
    {
      (offset, sigma) = guess
    } else if isSilence {
      offset = step.duration / 2
    }
    let time = step.start.advanced(bySeconds: offset)
    return EdgeState.Candidate(
      moment: Moment(self, fraction, time: time), timeUncertainty: sigma, isLate: true)
  }
}
