internal import Geodesy
internal import Glibc

/// When a stay began and ended, and its events.
extension VisitMonitor {
  /// Begins a stay when the evidence is enough.
  mutating func beginIfSure(_ update: FilterUpdate, _ rules: VisitRules, _ events: inout [Event]) {
    guard let evidence = trail.evidence(from: first, rules: rules),
      evidence > VisitModel.threshold
    else { return }
    begin(update, &events)
  }

  /// The points from ``first`` on are a stay.
  mutating func begin(_ update: FilterUpdate, _ events: inout [Event]) {
    let center = trail.center(from: first)
    let arrival = arrival(at: center)
    let stay = Stay(
      // Not before the last stay ended, and not after the fix that shows it.
      arrival: min(max(arrival.time, ended ?? arrival.time), update.time),
      isArrivalSeen: arrival.isSeen, center: center, sigma: trail[trail.end - 1].sigma,
      weight: trail.weight(from: first), last: trail.end - 1, lastTime: update.time)
    self.stay = stay
    first = trail.end - 1
    report(stay, departure: nil, VisitModel.confidence, decided: update.decided, &events)
  }

  /// The stay is over.
  ///
  /// - Parameter now: The time of the last fix on the clock of the stay.
  mutating func end(
    by now: Timestamp, decided: Timestamp, _ rules: VisitRules, _ events: inout [Event]
  ) {
    guard let stay else { return }
    self.stay = nil
    let departure = min(max(departure(from: stay), stay.arrival.advanced(bySeconds: 1)), now)
    ended = departure
    let length = departure.seconds(since: stay.arrival)
    report(
      stay, departure: departure, VisitModel.confidence(length: length, rules),
      decided: max(decided, departure), &events)
  }

  private func report(
    _ stay: Stay, departure: Timestamp?, _ confidence: Double, decided: Timestamp,
    _ events: inout [Event]
  ) {
    guard let map else { return }
    let visit = Visit(
      arrival: stay.arrival, isArrivalSeen: stay.isArrivalSeen, departure: departure,
      confidence: confidence)
    events.append(
      Event(
        statement: .visit(visit), time: departure ?? stay.arrival, decided: decided,
        coordinate: map.coordinate(at: stay.center),
        horizontalAccuracy: stay.sigma * AccuracyRadius.engineSigmas))
  }

  /// When the device came to the centre of what begins with the point ``first``.
  private func arrival(at center: Vector) -> (time: Timestamp, isSeen: Bool) {
    var number = first
    while number < trail.end - 1, !trail[number].isAt(center) { number += 1 }
    let point = trail[number]
    guard number > trail.start else {
      return (point.time, hasMoved || trail.start > 0)
    }
    let before = trail[number - 1]
    let gap = trail.seconds(from: number - 1, to: number)
    let distance = before.distance(to: center)
    if gap > VisitModel.gap {
      // At the earliest straight after the gap began, at the latest when it ended.
      let earliest = min(distance / VisitModel.gapSpeed, gap)
      return (before.time.advanced(bySeconds: (earliest + gap) / 2), true)
    }
    if point.stillness < 0.5 {
      // On its last steps.
      return (point.time.advanced(bySeconds: point.lastSteps(to: center)), true)
    }
    let way = distance / max(before.speed, VisitModel.leastSpeed)
    return (before.time.advanced(bySeconds: min(way, gap)), true)
  }

  /// When the device left the centre of a stay.
  ///
  /// The estimate clings to a place for a while, so that the fixes tell when it was left.
  private func departure(from stay: Stay) -> Timestamp {
    var number = min(max(stay.last, trail.start), trail.end - 1)
    let last = trail[number].time
    while number > trail.start, trail[number - 1].time >= stay.arrival,
      last.seconds(since: trail[number].time) < VisitModel.clinging,
      !trail[number].fixIsAt(stay.center) || !trail[number].isAt(stay.center)
    {
      number -= 1
    }
    let point = trail[number]
    guard number + 1 < trail.end else { return point.time }
    let after = trail[number + 1]
    let gap = trail.seconds(from: number, to: number + 1)
    let distance = after.fixDistance(to: stay.center)
    if gap > VisitModel.gap, after.fixDistance(to: point.fix) > VisitModel.quiet {
      let latest = max(gap - distance / VisitModel.gapSpeed, 0)
      return point.time.advanced(bySeconds: latest / 2)
    }
    if point.stillness < 0.5 {
      return point.time.advanced(bySeconds: -point.lastSteps(to: stay.center))
    }
    var speed = max(after.speed, VisitModel.leastSpeed)
    // Of two fixes far apart the first is often still too slow.
    if number + 2 < trail.end, gap > 20 { speed = max(speed, trail[number + 2].speed) }
    let way = min(max(gap - distance / speed, -VisitModel.lastSteps), gap)
    return point.time.advanced(bySeconds: way)
  }
}

extension Trail.Point {
  /// Whether the estimate is at the centre of a place.
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
