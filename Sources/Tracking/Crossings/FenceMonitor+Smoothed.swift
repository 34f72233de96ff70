internal import Geodesy

/// When an edge was crossed, from the fixes on both sides of the crossing.
extension FenceMonitor {
  /// The last crossing to the other side on the smoothed path of the last fixes; nil when it does not
  /// lead there.
  ///
  /// The way of the estimate lags behind a device that changes its speed; the smoothed one knows
  /// the fixes after the crossing, too. Docs/Accuracy.md, "The time of a crossing", has the parts
  /// of its uncertainty.
  ///
  /// - Parameter estimated: the crossing between two estimates, each from the fixes until then. The
  ///   time between the two is a measure of their uncertainty.
  /// - Complexity: O(fixes of the window) updates of the filter, at most twice a fix, however many
  ///   edges it crosses.
  mutating func smoothedCrossing(
    _ area: Area, _ update: FilterUpdate, _ motion: inout Motion, wasInside: Bool,
    estimated: EdgeState.Candidate?
  ) -> EdgeState.Candidate? {
    self.path.value.compute(motion, since: estimated?.moment.time)
    let last = self.path.value.estimates.last
    guard let last, area.contains(last.coordinate) != wasInside else { return nil }
    var found = self.path.value.lastIndex(of: area, isInside: wasInside)
    if found == nil {
      // The device crossed it before the estimate did.
      self.path.value.computeAll(motion)
      found = self.path.value.lastIndex(of: area, isInside: wasInside)
    }
    guard let place = found else { return nil }
    let path = self.path.value.estimates
    let (before, after) = (path[place], path[place + 1])
    if let estimated, estimated.moment.time > after.time,
      after.time.seconds(since: before.time) > MotionModel.gap,
      abs(area.signedDistance(to: after.coordinate)) < after.sigma
    {
      // It may have been on the old side after a silence: that is no reason to put it into the silence.
      return nil
    }
    let way = GeodesicStep(
      Step(from: TimedPosition(before), to: TimedPosition(after), decided: update.decided))
    guard
      let fraction = lastFraction(of: area, from: before.coordinate, to: after.coordinate)
    else { return nil }
    var candidate = way.smoothedCandidate(
      at: fraction, before, after, update.rhythm,
      common: commonError(of: update.fix, motion), of: area)
    candidate.waitUntilClear(of: area, path[(place + 1)...])
    guard let estimated else { return candidate }
    let apart = candidate.moment.time.seconds(since: estimated.moment.time) * apartShare
    let lag = motion.velocityLag * lagShare
    let sigma = candidate.timeUncertainty
    candidate.timeUncertainty = (sigma * sigma + apart * apart + lag * lag).squareRoot()
    return candidate
  }

  /// Where a way crosses the edge for the last time, as a share of its length; nil when it does not.
  mutating func lastFraction(
    of area: Area, from start: Coordinate, to end: Coordinate
  ) -> Double? {
    fractions.value.removeAll(keepingCapacity: true)
    area.crossings(from: start, to: end, into: &fractions.value)
    defer { fractions.value.removeAll(keepingCapacity: true) }
    return fractions.value.last
  }
}

extension EdgeState.Candidate {
  /// Where the path goes on along the edge after it crossed it, the device left at any time until it
  /// was clearly beyond: most often at the end, as one that rests by an edge seems to cross it.
  ///
  /// - Parameter path: the path from the crossing on.
  fileprivate mutating func waitUntilClear(of area: Area, _ path: ArraySlice<Estimate>) {
    let along = path.prefix { abs(area.signedDistance(to: $0.coordinate)) < $0.sigma }
    guard let last = along.last else { return }
    let span = last.time.seconds(since: moment.time)
    guard span > 3 * timeUncertainty else { return }
    (moment.time, moment.coordinate) = (last.time, last.coordinate)
    let sigma = timeUncertainty
    timeUncertainty = (sigma * sigma + span * span / 12).squareRoot()
  }
}

extension GeodesicStep {
  /// A crossing of the edge between two smoothed positions, with an error that all positions have in
  /// common, metres.
  ///
  /// In a silence (``MotionModel/gap``) the rhythm of the device gives the time, and even motion
  /// does not.
  fileprivate func smoothedCandidate(
    at fraction: Double, _ before: Estimate, _ after: Estimate, _ rhythm: Rhythm,
    common: Double, of area: Area
  ) -> EdgeState.Candidate {
    var sigma = estimatedTimeUncertainty(
      at: fraction, of: area, speed: max(before.velocity.length, after.velocity.length),
      rests: before.rests || after.rests, common: common)
    var offset = elapsed(at: fraction, from: before, to: after)
    if let guess = silentCrossing(at: fraction, before, after, rhythm, besides: sigma) {
      (offset, sigma) = guess
    }
    let time = step.start.advanced(bySeconds: offset)
    return EdgeState.Candidate(
      moment: Moment(self, fraction, time: time), timeUncertainty: sigma)
  }
}

/// The error that the positions around a crossing have in common, metres.
///
/// It is a share of what the receiver claims, and no less than under open sky. A smoother takes it for
/// a part of the way.
private func commonError(of fix: Fix, _ motion: Motion) -> Double {
  let stated = fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
  let claim = stated * motion.accuracyFactor(ofClaim: stated)
  return max(min(claim, MotionModel.leastAccuracy), commonShare * claim)
}

// What is uncertain, as measured on the phones of MobilityNet (Docs/Accuracy.md): a share of the claim;
// of the time between the smoothed crossing and that of the estimates; and of the lag of velocities.
private let commonShare = 0.5
private let apartShare = 0.5
private let lagShare = 0.7
