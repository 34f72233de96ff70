internal import Geodesy

/// The rule of evidence: the device is on the other side when that is probable enough, given all
/// fixes so far.
///
/// The time of the crossing is found afterwards, where the estimate crossed the edge. A short
/// passage may never make a single estimate sure enough; it is judged when it is over, by its
/// clearest point, be that an estimate or a place on the way between two (``Bridge``).
extension FenceMonitor {
  /// Judges one fence at one fix.
  ///
  /// With S the probability of rest and E that of being on the other side, the evidence is enough
  /// when `E ≥ moving + (resting − moving) S`. It is reported when it has been enough for long, or
  /// at once when the device clearly moves (``EvidenceThresholds/suffices(since:_:)``). When E is
  /// as small as 1 less that threshold, the device is back: a passage is reported, or what was
  /// gathered is dropped.
  ///
  /// - Parameters:
  ///   - far: How far from the estimate an edge no longer matters, metres; nil when every edge
  ///     does.
  ///   - motion: For the smoothed path, which gives the time of a crossing.
  mutating func weigh(
    _ index: Int, _ fence: FenceSet.Member, _ thresholds: EvidenceThresholds,
    _ update: FilterUpdate, _ far: Double?, _ motion: inout Motion, _ set: FenceSet,
    _ events: inout [Event]
  ) {
    let distance = fence.area.signedDistance(to: update.estimate.coordinate)
    if let far, abs(distance) > far {
      clearances.note(index, edgeAt: distance, from: update.estimate.coordinate)
      if passOver(index, update, far, edgeAt: distance) { return }
    }
    var edge = edge(of: index, seen: update.time)
    let evidence = gather(fence, thresholds, update, distance, &edge)
    if evidence.isEnough {
      let since = edge.sure ?? update.time
      edge.sure = since
      if edge.crossing == nil { edge.crossing = crossingOfFixes(fence.area, update) }
      let confidence = thresholds.confidence(
        evidence.probability, stillness: update.estimate.stillness,
        isAccuracyKnown: update.fix.horizontalAccuracy != nil)
      edge.confidence = confidence
      if thresholds.suffices(since: since, update) {
        let crossing = crossing(
          of: edge, fence.area, update, &motion, wasInside: evidence.wasInside)
        let change = edge.change(crossing, update, confidence: confidence)
        turn(fence, change, set, &edge, &events)
      }
    } else {
      edge.sure = nil
      if evidence.probability <= 1 - evidence.threshold {
        passBack(fence, thresholds, update, set, &edge, &events)
        // Fixes that crossed the edge, and the estimate did not follow.
        let isBack = (distance <= 0) == evidence.wasInside
        if isBack, edge.crossing?.isLate == true { edge.clear() }
      }
    }
    let isFar = far.map { abs(distance) >= $0 + Motion.windowReach } ?? false
    if !isFar || !edge.isBlank { keep(&edge) }
  }

  /// Weighs on which side of the edge the device is, and notes where it crossed it.
  ///
  /// Where it crossed the edge comes from the fixes when they contradicted the estimate until now,
  /// or do so while the estimate is on the other side. Otherwise it comes from the way of the
  /// estimate.
  ///
  /// - Parameter distance: from the estimate to the edge, metres, negative inside.
  @inline(__always)
  mutating func gather(
    _ fence: FenceSet.Member, _ thresholds: EvidenceThresholds, _ update: FilterUpdate,
    _ distance: Double, _ edge: inout EdgeState
  ) -> Evidence {
    let threshold = thresholds.threshold(stillness: update.estimate.stillness)
    let inside = update.positions.probability(inside: fence.area, middle: distance)
    let wasInside = stay(of: edge.fence) != nil
    let evidence = wasInside ? 1 - inside : inside
    edge.seen = update.time
    if let ended = update.ended {
      follow(ended, fence, update, wasInside, &edge)
    } else if let contradiction = update.contradiction, (distance <= 0) != wasInside {
      follow(contradiction, fence, update, wasInside, &edge)
    } else if let before = update.before?.coordinate,
      Self.mayCross(edgeAt: distance, from: before, to: update.estimate.coordinate)
    {
      followEstimate(fence, thresholds, update, wasInside, &edge)
    }
    let moving = evidence * (1 - update.estimate.stillness)
    if thresholds.passage != nil, update.isClearlyMoving { edge.peak = max(edge.peak, moving) }
    return Evidence(probability: evidence, threshold: threshold, wasInside: wasInside)
  }

  /// When the edge was crossed, now that it is sure.
  ///
  /// While the estimate was behind, only the fixes give the time.
  private mutating func crossing(
    of edge: EdgeState, _ area: Area, _ update: FilterUpdate, _ motion: inout Motion,
    wasInside: Bool
  ) -> EdgeState.Candidate? {
    let found =
      edge.crossing.flatMap { $0.isLate ? $0 : nil }
      ?? smoothedCrossing(area, update, &motion, wasInside: wasInside, estimated: edge.crossing)
      ?? edge.crossing
    guard let found else { return nil }
    return bracketed(found, area, update, motion, wasInside: wasInside)
  }

  /// Whether the way between two estimates may lead over an edge that is so far from its end, metres:
  /// not when the way is shorter.
  static func mayCross(edgeAt distance: Double, from a: Coordinate, to b: Coordinate) -> Bool {
    guard isMeasured(at: b) else { return true }
    let least = min(abs(distance), 1_000) * 0.99 - 1
    return !a.isClearlyWithin(least, of: b)
      && Clearances.longestWay(from: a, to: b, cosine: Clearances.cosine(around: b)) > least
  }

  /// Whether ``Area/signedDistance(to:)`` from a place is right to 1 %: below 80 degrees of latitude.
  static func isMeasured(at place: Coordinate) -> Bool { abs(place.latitude) < 80 }

  /// Crossings of the edge on the way from the last estimate to this one.
  private mutating func followEstimate(
    _ fence: FenceSet.Member, _ thresholds: EvidenceThresholds, _ update: FilterUpdate,
    _ wasInside: Bool,
    _ edge: inout EdgeState
  ) {
    guard let before = update.before, before.time < update.time else { return }
    let (from, to) = (before.coordinate, update.estimate.coordinate)
    fence.area.crossings(from: from, to: to, into: &fractions.value)
    defer { fractions.value.removeAll(keepingCapacity: true) }
    guard !fractions.value.isEmpty else { return }
    let way = update.estimatedStep(from: before)
    var isInside = fence.area.contains(to) == (fractions.value.count % 2 == 0)
    let bridge = Bridge(update)
    if let bridge, !wasInside {
      notePassage(bridge, fence.area, isInside, thresholds, &edge)
    }
    for fraction in fractions.value {
      isInside.toggle()
      let candidate = update.candidate(on: way, bridge, at: fraction, of: fence.area)
      if isInside != wasInside {
        edge.pass(candidate)
      } else {
        edge.back = candidate
      }
    }
  }

  /// Crossings of the edge between the contradicting fixes, in place of those of the estimate.
  private mutating func follow(
    _ contradiction: Contradiction, _ fence: FenceSet.Member, _ update: FilterUpdate,
    _ wasInside: Bool,
    _ edge: inout EdgeState
  ) {
    if let crossing = edge.crossing, crossing.moment.time >= contradiction.start.time {
      edge.crossing = nil
    }
    edge.back = nil
    let legs = [
      (
        TimedPosition(contradiction.start),
        TimedPosition(contradiction.coordinate, contradiction.time, update.estimate)
      ),
      (
        TimedPosition(contradiction.coordinate, contradiction.time, update.estimate),
        TimedPosition(update.estimate)
      ),
    ]
    var isInside = fence.area.contains(contradiction.start.coordinate)
    for (number, (from, to)) in legs.enumerated() where from.time < to.time {
      let way = GeodesicStep(Step(from: from, to: to, decided: update.decided))
      fence.area.crossings(from: from.coordinate, to: to.coordinate, into: &fractions.value)
      for fraction in fractions.value {
        isInside.toggle()
        let candidate = way.lateCandidate(
          at: fraction, isSilence: number == 0, update, of: fence.area)
        if isInside != wasInside {
          (edge.crossing, edge.back) = (candidate, nil)
        } else if edge.crossing != nil {
          edge.back = candidate
        }
      }
      fractions.value.removeAll(keepingCapacity: true)
    }
  }

  /// How probable it is that the device was in the fence on the way from the last estimate.
  ///
  /// Each part of the way that lies inside is judged half-way, where it is farthest from the edge.
  /// Short ways out of a fence and back are ignored: a device stays in a fence for long, so they are
  /// most often errors.
  private func notePassage(
    _ way: Bridge, _ area: Area, _ startsInside: Bool, _ thresholds: EvidenceThresholds,
    _ edge: inout EdgeState
  ) {
    guard let least = thresholds.way else { return }
    var isInside = startsInside
    for position in 0...fractions.value.count {
      defer { isInside.toggle() }
      guard isInside else { continue }
      let start = position == 0 ? 0 : fractions.value[position - 1]
      let end = position == fractions.value.count ? 1 : fractions.value[position]
      let inside = way.probability(through: area, at: (start + end) / 2)
      if inside >= least { edge.peak = max(edge.peak, inside) }
    }
  }

  /// The device is on the reported side; it may have been on the other one for a while.
  ///
  /// A passage is reported as two events, enter and exit or the reverse, when its clearest point
  /// reached the threshold for passages. The confidence is that of motion at that point.
  private mutating func passBack(
    _ fence: FenceSet.Member, _ thresholds: EvidenceThresholds, _ update: FilterUpdate,
    _ set: FenceSet,
    _ edge: inout EdgeState, _ events: inout [Event]
  ) {
    let peak = edge.peak
    if edge.isPassage(thresholds), let crossing = edge.crossing, let back = edge.back {
      let confidence = thresholds.confidence(
        peak, stillness: 0, isAccuracyKnown: update.fix.horizontalAccuracy != nil)
      turn(fence, edge.change(crossing, update, confidence: confidence), set, &edge, &events)
      turn(fence, edge.change(back, update, confidence: confidence), set, &edge, &events)
    }
    if edge.back != nil { edge.clear() }
    edge.peak = 0
  }

  /// Reports that the device is on the other side.
  ///
  /// Its time is moved so that the events of a fence stay in order: it is not before the last
  /// change of side, the initial states, the stay or its dwell, and what it is moved by is a part of its
  /// uncertainty. A dwell that was full by then is reported first.
  mutating func turn(
    _ fence: FenceSet.Member, _ change: (moment: Moment, crossing: Crossing), _ set: FenceSet,
    _ edge: inout EdgeState, _ events: inout [Event]
  ) {
    var (moment, crossing) = change
    let found = moment.time
    if let last = edge.turned { moment.time = max(moment.time, last) }
    if let resolved { moment.time = max(moment.time, resolved) }
    if let place = stay(of: edge.fence) {
      moment.time = max(moment.time, stays[place].dwelt ?? stays[place].since)
      crossing.move(bySeconds: moment.time.seconds(since: found))
      reportDwell(place, by: moment.time, set, &events) {
        var full = moment
        full.time = $0
        return full
      }
      leave(place, fence, crossing, moment, &events)
    } else {
      crossing.move(bySeconds: moment.time.seconds(since: found))
      enter(edge.fence, fence, crossing, moment, &events)
    }
    edge.clear()
    edge.turned = moment.time
  }
}

/// The evidence that a device is not on the side that was reported.
///
/// It holds for one fence at one fix, and is not kept.
struct Evidence {
  /// Probability that it is on the other side.
  var probability: Double
  /// The probability that the rule requires.
  var threshold: Double
  var wasInside: Bool

  var isEnough: Bool { probability >= threshold }
}

extension EvidenceThresholds {
  /// Whether evidence that has been enough since a time needs no further fix.
  @inline(__always)
  func suffices(since: Timestamp, _ update: FilterUpdate) -> Bool {
    let isLong =
      update.time.seconds(since: since) >= hold || update.secondsSinceLast >= loneFix
    return isLong || (!holdsMoving && (update.isClearlyMoving || update.hasCome))
  }
}

extension EdgeState {
  /// Whether a passage that is over is reported: the device was on the other side, and is back.
  func isPassage(_ thresholds: EvidenceThresholds) -> Bool {
    guard let least = thresholds.passage ?? thresholds.way else { return false }
    return peak >= least && crossing != nil && back != nil
  }
}

extension FilterUpdate {
  /// Seconds since the fix before; 0 for the first.
  fileprivate var secondsSinceLast: Double { before.map { time.seconds(since: $0.time) } ?? 0 }

  /// Whether more than one fix shows that the device moves: it did before, or reports a speed.
  fileprivate var isClearlyMoving: Bool {
    guard estimate.isMoving else { return false }
    return before?.isMoving == true || (fix.speed ?? 0) > MotionModel.leastCourseSpeed
  }

  /// Whether the device reported that it moved at the fix before, and that it stands now, far from there: no
  /// error at rest looks so.
  fileprivate var hasCome: Bool {
    let slow = MotionModel.leastCourseSpeed
    guard let before, before.isMoving, let speed = fix.speed, speed <= slow,
      let last = previous?.speed, last > slow
    else { return false }
    let error = max(before.sigma, estimate.sigma)
    return !before.coordinate.isWithin(leastJourney + 6 * error, of: estimate.coordinate)
  }

  /// The way of the estimate since the last fix.
  fileprivate func estimatedStep(from before: Estimate) -> GeodesicStep {
    GeodesicStep(Step(from: TimedPosition(before), to: TimedPosition(estimate), decided: decided))
  }

  /// A crossing of the edge at a place on the way of the estimate.
  fileprivate func candidate(
    on way: GeodesicStep, _ bridge: Bridge?, at fraction: Double, of area: Area
  ) -> EdgeState.Candidate {
    let speed = max(before?.velocity.length ?? 0, estimate.velocity.length)
    var offset: Double
    var sigma = way.estimatedTimeUncertainty(
      at: fraction, of: area, speed: speed, rests: before?.rests != false || estimate.rests)
    if let guess = way.silentCrossing(at: fraction, before, estimate, rhythm, besides: sigma) {
      (offset, sigma) = guess
    } else {
      let even = way.step.duration * fraction
      let uneven =
        before.map {
          way.elapsed(at: fraction, from: $0, to: estimate, scale: bridge?.scale ?? 1)
        } ?? even
      offset = even + (bridge?.unevenness ?? 1) * (uneven - even)
    }
    let time = way.step.start.advanced(bySeconds: offset)
    return EdgeState.Candidate(moment: Moment(way, fraction, time: time), timeUncertainty: sigma)
  }
}

extension GeodesicStep {
  /// Seconds until the device was at a place on the way between two estimates.
  ///
  /// When it was faster at one end than the whole way took on average, it stood or crept at the
  /// other: from the faster end the place is reached at the speed there. `scale` makes speeds out of
  /// the velocities of the estimates.
  ///
  /// Both ends fast: both counts, mixed by the position on the way. One end fast: the count from
  /// that end. Neither: even motion.
  ///
  /// - Parameters:
  ///   - fraction: Of the way's length, 0 to 1.
  ///   - scale: Of both velocities, see ``Bridge/scale``.
  func elapsed(
    at fraction: Double, from before: Estimate, to after: Estimate, scale: Double = 1
  ) -> Double {
    let (time, length) = (step.duration, line.length)
    guard length >= 1 else { return time * fraction }
    let along = LocalFrame(origin: before.coordinate).vector(to: after.coordinate)
    func speed(_ estimate: Estimate) -> Double {
      guard estimate.stillness <= 0.5 else { return 1e-3 }
      let velocity = estimate.velocity
      return max(scale * (velocity.x * along.x + velocity.y * along.y) / along.length, 1e-3)
    }
    let (first, last) = (speed(before), speed(after))
    let fromStart = min(fraction * length / first, time)
    let fromEnd = max(time - (1 - fraction) * length / last, 0)
    switch (first >= length / time / 2, last >= length / time / 2) {
    case (true, true): return fromStart * (1 - fraction) + fromEnd * fraction
    case (true, false): return fromStart
    case (false, true): return fromEnd
    case (false, false): return time * fraction
    }
  }
}

/// A device that went farther than this between two fixes, beside its errors, has come to where it rests,
/// metres.
private let leastJourney = 100.0
