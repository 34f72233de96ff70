internal import Geodesy
internal import Glibc

/// When a stay began and ended, and its events.
extension VisitMonitor {
  /// Begins a stay when the evidence is enough.
  @inline(__always)
  mutating func beginIfSure(_ update: FilterUpdate, _ rules: VisitRules, _ events: inout [Event]) {
    guard let evidence = trail.evidence(from: first, rules: rules),
      evidence > VisitModel.threshold
    else { return }
    settleSilent(update, rules, isDue: true, &events)
    begin(update, &events)
  }

  /// The points from ``first`` on are a stay.
  mutating func begin(_ update: FilterUpdate, _ events: inout [Event]) {
    let center = trail.center(from: first)
    let arrival = arrival(at: center, update.rhythm)
    let stay = Stay(
      // Not before the last stay ended, and not after the fix that shows it.
      arrival: min(max(arrival.time, ended ?? arrival.time), update.time),
      isArrivalSeen: arrival.isSeen, arrivalUncertainty: arrival.uncertainty, center: center,
      sigma: trail[trail.end - 1].sigma,
      weight: trail.weight(from: first), last: trail.end - 1, lastTime: update.time,
      fixes: trail.fixes(from: first, center: center))
    self.stay = stay
    first = trail.end - 1
    report(stay, departure: nil, VisitModel.confidence, decided: update.decided, &events)
  }

  /// The stay is over.
  ///
  /// The departure is that of the silence in which it left, if there was one, else that of the
  /// fixes. It is at least a second after the arrival. A stay shorter than the minimum is reported
  /// once more as retracted.
  ///
  /// - Parameters:
  ///   - now: The time of the last fix on the clock of the stay.
  ///   - left: When it left, if that is known.
  mutating func end(
    by now: Timestamp, _ left: Departure? = nil, decided: Timestamp, _ rhythm: Rhythm,
    _ rules: VisitRules, _ events: inout [Event]
  ) {
    guard let stay else { return }
    self.stay = nil
    let silence = stay.left.flatMap { rhythm.isUsual($0.seconds) ? nil : $0 }
    let left =
      left ?? silence.map { self.departure(in: $0, rhythm) } ?? self.departure(from: stay, rhythm)
    let departure = min(max(left.time, stay.arrival.advanced(bySeconds: 1)), now)
    ended = departure
    let length = departure.seconds(since: stay.arrival)
    report(
      stay, departure: Departure(time: departure, uncertainty: left.uncertainty),
      VisitModel.confidence(
        length: length, unseen: stay.unseen,
        accuracy: stay.sigma * AccuracyRadius.engineSigmas, rules),
      isRetracted: length < rules.minimumStay, decided: max(decided, departure), &events)
  }

  /// Reports the stay: with a departure as revision 1, else as revision 0.
  private func report(
    _ stay: Stay, departure: Departure?, _ confidence: Double, isRetracted: Bool = false,
    decided: Timestamp, _ events: inout [Event]
  ) {
    guard let map else { return }
    var visit = Visit(
      arrival: stay.arrival, isArrivalSeen: stay.isArrivalSeen, departure: departure?.time,
      confidence: confidence)
    if stay.isArrivalSeen {
      visit.arrivalUncertainty = VisitModel.timeUncertainty(stay.arrivalUncertainty)
    }
    visit.departureUncertainty = departure.map { VisitModel.timeUncertainty($0.uncertainty) }
    visit.revision = departure == nil ? 0 : 1
    visit.isRetracted = isRetracted
    events.append(
      Event(
        statement: .visit(visit), time: departure?.time ?? stay.arrival, decided: decided,
        coordinate: map.coordinate(at: stay.place),
        horizontalAccuracy: stay.sigma * AccuracyRadius.engineSigmas))
  }

  /// When the device came to the centre of what begins with the point ``first``.
  ///
  /// - Parameter byFixes: Whether the fixes decide, not the estimate.
  func arrival(
    at center: Vector, byFixes: Bool = false, _ rhythm: Rhythm
  ) -> (time: Timestamp, uncertainty: Double, isSeen: Bool) {
    var number = max(first, trail.start)
    while number < trail.end - 1, !trail[number].isAt(center, byFixes: byFixes) { number += 1 }
    // The estimate stays behind, so fixes that are not close in time show when it came.
    var byFixes = byFixes
    while number > trail.start,
      isSparse(number)
        ? first - number < VisitModel.clingingFixes : isBehind(number - 1),
      trail[number - 1].fixIsAt(center)
    {
      number -= 1
      byFixes = true
    }
    number = firstAfterSilence(number, center)
    let point = trail[number]
    guard number > trail.start else {
      return (point.time, point.timeSigma(gap: 0), hasMoved || trail.start > 0)
    }
    let last = trail.lastNew(before: number, from: first)
    let before = trail[last]
    let gap = trail.seconds(from: last, to: number)
    let sigma = point.timeSigma(gap: gap)
    let isSparse = gap > VisitModel.clinging
    let distance =
      byFixes || isSparse ? before.fixDistance(to: center) : before.distance(to: center)
    // One that woke with an old position does not report what it does.
    let isAsleep = last < number - 1
    if isSparse, isAsleep || !rhythm.wouldReport(within: gap) {
      // The mirror image of a departure.
      let speed = isAsleep ? 0 : trail.speed(at: last, from: last - 1)
      let left = SparseGap(seconds: gap, distance: distance, speed: speed).departure
      return (
        before.time.advanced(bySeconds: gap - left.offset),
        max(left.sigma, point.timeSigma(gap: 0)), true
      )
    }
    if gap > VisitModel.gap {
      let guess = rhythm.arrival(silence: gap, distance: distance, speed: before.speed)
      return (before.time.advanced(bySeconds: guess.offset), guess.sigma, true)
    }
    if point.stillness < 0.5 {
      // Within the last steps to the centre.
      return (point.time.advanced(bySeconds: point.lastSteps(to: center)), sigma, true)
    }
    let way = distance / max(before.speed, VisitModel.leastSpeed)
    return (before.time.advanced(bySeconds: min(way, gap)), sigma, true)
  }

  /// The first point after a long silence, if the device was near the centre from then until a point shortly
  /// after it: its first fixes scatter, and it hardly came just then.
  private func firstAfterSilence(_ number: Int, _ center: Vector) -> Int {
    var place = number
    while place > trail.start, trail.isNeeded(place - 1, before: first),
      trail.seconds(from: place, to: number) < VisitModel.waking,
      trail[place].fixDistance(to: center) < VisitModel.quiet
    {
      if Wake.isLong(trail.seconds(from: place - 1, to: place)) { return place }
      place -= 1
    }
    return number
  }

  /// Whether the point before is further away in time than the estimate clings to a place.
  private func isSparse(_ number: Int) -> Bool {
    trail.seconds(from: number - 1, to: number) > VisitModel.clinging
  }

  /// Whether the estimate was still at another place than the fix, or the point was moved to its fix as it
  /// was.
  private func isBehind(_ number: Int) -> Bool {
    let point = trail[number]
    return trail.seconds(from: number, to: number + 1) > VisitModel.distinct
      && (point.place == point.fix || point.distance(to: point.fix) > VisitModel.agreement)
      && trail.isNeeded(number, before: first)
  }

  /// When the device left in a silence.
  ///
  /// By its rhythm, unless it woke with an old position: then it does not report what it does, and points lie
  /// in the silence.
  func departure(in silence: Silence, _ rhythm: Rhythm) -> Departure {
    var number = trail.end
    while number > trail.start, trail[number - 1].time >= silence.end { number -= 1 }
    let isAsleep = number > trail.start && trail[number - 1].time > silence.start
    return silence.departure(isAsleep ? Rhythm() : rhythm)
  }

  /// When the device left the centre of a stay.
  ///
  /// The estimate stays at a place for a while, so the fixes show when the device left.
  private func departure(from stay: Stay, _ rhythm: Rhythm) -> Departure {
    var number = min(max(stay.last, trail.start), trail.end - 1)
    let last = trail[number].time
    let isLed = stay.fixes.isLed
    let center = isLed ? stay.fixes.place : stay.center
    while number > trail.start, trail[number - 1].time >= stay.arrival,
      last.seconds(since: trail[number].time) < VisitModel.clinging
        || isSparse(number) && stay.last - number < VisitModel.clingingFixes,
      !trail[number].fixIsAt(center) || !(isLed || trail[number].isAt(center))
    {
      number -= 1
    }
    let point = trail[number]
    guard number + 1 < trail.end else {
      return Departure(time: point.time, uncertainty: point.timeSigma(gap: 0))
    }
    let after = trail[number + 1]
    let gap = trail.seconds(from: number, to: number + 1)
    let sigma = point.timeSigma(gap: gap)
    let distance = after.fixDistance(to: center)
    if isSparse(number + 1), !rhythm.wouldReport(within: gap) {
      let speed = trail.speed(at: number + 1, from: number + 2)
      let left = SparseGap(seconds: gap, distance: distance, speed: speed).departure
      return Departure(
        time: point.time.advanced(bySeconds: left.offset),
        uncertainty: max(left.sigma, point.timeSigma(gap: 0)))
    }
    if gap > VisitModel.gap, after.fixDistance(to: point.fix) > VisitModel.quiet {
      let speed = VisitModel.gapShare * Rhythm.ridingSpeed(over: distance)
      let latest = max(gap - distance / speed, 0)
      return Departure(
        time: point.time.advanced(bySeconds: latest / 2),
        uncertainty: max(latest / 12.0.squareRoot(), sigma))
    }
    if gap > VisitModel.gap, rhythm.wouldReport(within: gap) {
      // It was silent at the place, and left for a fix close by.
      let guess = rhythm.departure(silence: gap, distance: distance, speed: after.speed)
      return Departure(time: point.time.advanced(bySeconds: guess.offset), uncertainty: guess.sigma)
    }
    if point.stillness < 0.5 {
      return Departure(
        time: point.time.advanced(bySeconds: -point.lastSteps(to: center)),
        uncertainty: sigma)
    }
    var speed = max(after.speed, VisitModel.leastSpeed)
    // Of two fixes far apart the first is often still too slow.
    if number + 2 < trail.end, gap > 20 { speed = max(speed, trail[number + 2].speed) }
    let way = min(max(gap - distance / speed, -VisitModel.lastSteps), gap)
    return Departure(time: point.time.advanced(bySeconds: way), uncertainty: sigma)
  }
}

extension Trail.Point {
  /// One sigma of an arrival or departure between this point and one so many seconds apart: at any
  /// moment of the gap, beside the time in which the device goes as far as a fix may be off (two sigmas).
  fileprivate func timeSigma(gap: Double) -> Double {
    let slow = 2 * fixSigma / VisitModel.leastSpeed
    return (gap * gap / 12 + slow * slow).squareRoot()
  }

  /// Whether the fix or the estimate is at the centre of a place.
  fileprivate func isAt(_ center: Vector, byFixes: Bool) -> Bool {
    byFixes ? fixIsAt(center) : isAt(center)
  }

  /// Whether the estimate is.
  fileprivate func isAt(_ center: Vector) -> Bool {
    distance(to: center) <= VisitModel.arrivalRadius + 0.5 * min(sigma, 40)
  }

  /// Whether the fix is.
  fileprivate func fixIsAt(_ center: Vector) -> Bool {
    fixDistance(to: center)
      <= VisitModel.arrivalRadius + VisitModel.fixSigmas * min(fixSigma, 40)
  }

  /// Seconds that the way between here and the centre takes.
  fileprivate func lastSteps(to center: Vector) -> Double {
    min(distance(to: center) / max(speed, VisitModel.leastSpeed), VisitModel.lastSteps)
  }
}
