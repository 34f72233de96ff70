internal import Geodesy

/// The rule of evidence: the device is on the other side when that is probable enough, given all
/// fixes so far.
///
/// When it came there is looked for afterwards, where the estimate crossed the edge. A short
/// passage may never make a single estimate sure enough; it is judged when it is over, by its
/// clearest point, be that an estimate or a place on the way between two (``Bridge``).
extension FenceMonitor {
  mutating func weigh(
    _ index: Int, _ fence: FenceSet.Member, _ sight: Sight, _ set: FenceSet, _ events: inout [Event]
  ) {
    guard let demands = fence.decision.demands else { return }
    let threshold = demands.threshold(stillness: sight.estimate.stillness)
    let distance = fence.area.signedDistance(to: sight.estimate.coordinate)
    let inside = sight.spots.probability(inside: fence.area, middle: distance)
    let wasInside = stay(of: index) != nil
    let evidence = wasInside ? 1 - inside : inside
    var watch = watch(of: index) ?? Watch(fence: index, seen: sight.time)
    watch.seen = sight.time
    if let before = sight.before?.coordinate,
      Self.mayCross(edgeAt: distance, from: before, to: sight.estimate.coordinate)
    {
      followEstimate(fence, demands, sight, wasInside, &watch)
    }
    let moving = evidence * (1 - sight.estimate.stillness)
    if demands.passage != nil, sight.isClearlyMoving { watch.peak = max(watch.peak, moving) }
    if evidence >= threshold {
      let since = watch.sure ?? sight.time
      watch.sure = since
      let isLong = sight.time.seconds(since: since) >= demands.hold
      if isLong || (sight.isClearlyMoving && !demands.holdsMoving) {
        let confidence = demands.confidence(evidence, stillness: sight.estimate.stillness)
        let change = watch.change(watch.crossing, sight, confidence: confidence)
        turn(fence, change, set, &watch, &events)
      }
    } else {
      watch.sure = nil
      if evidence <= 1 - threshold {
        passBack(fence, demands, sight, set, &watch, &events)
      }
    }
    keep(watch)
  }

  /// Whether the way between two estimates may lead over an edge that is so far from its end, metres:
  /// not when the way is shorter.
  ///
  /// The distance is that of ``Area/signedDistance(to:)``, right to 1 % below 80 degrees of latitude.
  static func mayCross(edgeAt distance: Double, from a: Coordinate, to b: Coordinate) -> Bool {
    abs(b.latitude) >= 80 || !a.isClearlyWithin(min(abs(distance), 1_000) * 0.99 - 1, of: b)
  }

  /// Crossings of the edge on the way from the last estimate to this one.
  private mutating func followEstimate(
    _ fence: FenceSet.Member, _ demands: Demands, _ sight: Sight, _ wasInside: Bool,
    _ watch: inout Watch
  ) {
    guard let before = sight.before, before.time < sight.time else { return }
    let (from, to) = (before.coordinate, sight.estimate.coordinate)
    fence.area.crossings(from: from, to: to, into: &fractions.value)
    defer { fractions.value.removeAll(keepingCapacity: true) }
    guard !fractions.value.isEmpty else { return }
    let way = sight.estimatedWay(from: before)
    var isInside = fence.area.contains(to) == (fractions.value.count % 2 == 0)
    let bridge = Bridge(sight)
    if let bridge, !wasInside {
      notePassage(bridge, fence.area, isInside, demands, &watch)
    }
    for fraction in fractions.value {
      isInside.toggle()
      let candidate = sight.candidate(on: way, bridge, at: fraction, of: fence.area)
      if isInside != wasInside {
        (watch.crossing, watch.back) = (candidate, nil)
      } else {
        watch.back = candidate
      }
    }
  }

  /// How probable it is that the device was in the fence on the way from the last estimate.
  ///
  /// Each part of the way that lies inside is judged half-way, where it is farthest from the edge.
  /// The like out of a fence and back is not looked for: a device stays in a fence for long, so that
  /// a short way out is most often an error.
  private func notePassage(
    _ way: Bridge, _ area: Area, _ startsInside: Bool, _ demands: Demands,
    _ watch: inout Watch
  ) {
    guard let least = demands.way else { return }
    var isInside = startsInside
    for position in 0...fractions.value.count {
      defer { isInside.toggle() }
      guard isInside else { continue }
      let start = position == 0 ? 0 : fractions.value[position - 1]
      let end = position == fractions.value.count ? 1 : fractions.value[position]
      let inside = way.probability(through: area, at: (start + end) / 2)
      if inside >= least { watch.peak = max(watch.peak, inside) }
    }
  }

  /// The device is on the side that was said; it may have been on the other one for a while.
  private mutating func passBack(
    _ fence: FenceSet.Member, _ demands: Demands, _ sight: Sight, _ set: FenceSet,
    _ watch: inout Watch, _ events: inout [Event]
  ) {
    let peak = watch.peak
    if let least = demands.passage ?? demands.way, peak >= least, let crossing = watch.crossing,
      let back = watch.back
    {
      let confidence = demands.confidence(peak, stillness: 0)
      turn(fence, watch.change(crossing, sight, confidence: confidence), set, &watch, &events)
      turn(fence, watch.change(back, sight, confidence: confidence), set, &watch, &events)
    }
    if watch.back != nil { watch.clear() }
    watch.peak = 0
  }

  /// The device is on the other side: says so.
  private mutating func turn(
    _ fence: FenceSet.Member, _ change: (moment: Moment, crossing: Crossing), _ set: FenceSet,
    _ watch: inout Watch, _ events: inout [Event]
  ) {
    var (moment, crossing) = change
    if let place = stay(of: watch.fence) {
      moment.time = max(moment.time, stays[place].dwelt ?? stays[place].since)
      sayDwell(place, by: moment.time, set, &events) {
        var full = moment
        full.time = $0
        return full
      }
      leave(place, fence, crossing, moment, &events)
    } else {
      if let last = watch.turned { moment.time = max(moment.time, last) }
      enter(watch.fence, fence, crossing, moment, &events)
    }
    watch.clear()
    watch.turned = moment.time
  }
}

extension Sight {
  /// Whether the device moves, and more than one fix says so: it did before, or reports a speed.
  fileprivate var isClearlyMoving: Bool {
    guard estimate.isMoving else { return false }
    return before?.isMoving == true || (fix.speed ?? 0) > MotionModel.leastCourseSpeed
  }

  /// The way of the estimate since the last fix.
  fileprivate func estimatedWay(from before: Estimate) -> Way {
    Way(Step(from: TimedPosition(before), to: TimedPosition(estimate), decided: decided))
  }

  /// A crossing of the edge at a place on the way of the estimate.
  fileprivate func candidate(
    on way: Way, _ bridge: Bridge?, at fraction: Double, of area: Area
  ) -> Watch.Candidate {
    let even = way.step.duration * fraction
    let uneven = elapsed(on: way, at: fraction, scale: bridge?.scale ?? 1)
    let elapsed = even + (bridge?.unevenness ?? 1) * (uneven - even)
    let time = way.step.start.advanced(bySeconds: elapsed)
    return Watch.Candidate(
      moment: Moment(way, fraction, time: time),
      timeUncertainty: way.estimatedTimeUncertainty(at: fraction, of: area))
  }

  /// Seconds until the device was at a place on the way between two estimates.
  ///
  /// When it was faster at one end than the whole way took on average, it stood or crept at the
  /// other: from the faster end the place is reached at the speed there. `scale` makes speeds out of
  /// the velocities of the estimates.
  private func elapsed(on way: Way, at fraction: Double, scale: Double) -> Double {
    let (time, length) = (way.step.duration, way.line.length)
    guard let before, length >= 1 else { return time * fraction }
    let along = LocalFrame(origin: before.coordinate).vector(to: estimate.coordinate)
    func speed(_ estimate: Estimate) -> Double {
      guard estimate.stillness <= 0.5 else { return 1e-3 }
      let velocity = estimate.velocity
      return max(scale * (velocity.x * along.x + velocity.y * along.y) / along.length, 1e-3)
    }
    let (first, last) = (speed(before), speed(estimate))
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
