internal import Geodesy
internal import Glibc

/// Stays that are visible only as silence.
///
/// Most phones report only while they move: a stay of hours is a few fixes, a silence, and a fix
/// elsewhere. A silence with little net displacement is a stay at the place where it began; it ended
/// when the device must have left to be at its next fix in time (``Rhythm``).
extension VisitMonitor {
  /// Judges the silence before this fix.
  ///
  /// Three things may follow: a stay with a silence longer than the memory ends when that began; a
  /// silence that ends elsewhere is kept as that in which the stay ended; without a stay, it may be
  /// one itself (``SilentStay``), which is reported when the device has moved on.
  mutating func judgeSilence(
    _ update: FilterUpdate, _ rules: VisitRules, memory: Double, _ events: inout [Event]
  ) {
    settleSilent(update, rules, &events)
    guard let seen else { return }
    // A repeated position does not show that the device was there.
    let start = update.lastNew ?? seen.time
    let gap = update.time.seconds(since: start)
    guard gap > rules.minimumStay else { return }
    // A stay with so long a silence becomes two.
    if gap > memory, stay != nil {
      let left = Departure(time: seen.time, uncertainty: gap / 12.0.squareRoot())
      end(by: seen.time, left, decided: update.decided, update.rhythm, rules, &events)
      trail.clear()
      (first, self.seen) = (0, nil)
      return
    }
    // It had left before the silence.
    if let stay, stay.awayCount >= VisitModel.leastAway {
      end(by: seen.time, decided: update.decided, update.rhythm, rules, &events)
    }
    let accuracy = update.fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    let distance = seen.coordinate.distance(to: update.fix.coordinate)
    stay?.unseen += update.time.seconds(since: seen.time)
    // One that is too far away for the same candidate ends it.
    let elsewhere = stay == nil ? VisitModel.candidateShare : VisitModel.elsewhere
    guard distance > elsewhere * rules.radius + 0.5 * min(accuracy, 60) else { return }
    var silence = Silence(
      start: start, seconds: gap, distance: distance, speed: update.fix.speed ?? 0)
    if let absence = seen.absence, absence.count == VisitModel.leastAway {
      let seconds = absence.time.seconds(since: start)
      silence = Silence(start: start, seconds: seconds, distance: absence.distance, speed: 0)
    }
    if let stay {
      // It left once: a later silence of a device that is away says nothing of that.
      if stay.away == nil, stay.left == nil { self.stay?.left = silence }
    } else if gap <= memory, canHideStay(silence), let arrival = silentArrival(seen, update.rhythm)
    {
      silent = SilentStay(
        arrival: arrival.time, arrivalUncertainty: arrival.uncertainty,
        coordinate: seen.coordinate, horizontalAccuracy: silentAccuracy(seen, silence),
        silence: silence, heardAt: update.fix.coordinate)
    }
  }

  /// Whether the journey takes so small a part of a silence that the device rested for the remainder.
  private func canHideStay(_ silence: Silence) -> Bool {
    let wasAtRest = trail.end - max(first, trail.start) >= 2
    let range = wasAtRest ? VisitModel.restingRange : VisitModel.silentRange
    return silence.distance <= range && silence.way <= VisitModel.wayShare * silence.seconds
  }

  /// A fix that is too coarse to show where the device is may still show where it is not.
  ///
  /// Three such fixes in a row, each farther from the place than the radius and twice its claim,
  /// show that the device had left by the first of them.
  mutating func judgeCoarse(
    _ fix: Fix, _ time: Timestamp, _ accuracy: Double, _ rules: VisitRules
  ) {
    guard let seen else { return }
    let apart = seen.coordinate.distance(to: fix.coordinate)
    if apart < accuracy { self.seen?.absence = nil }
    let distance = apart - VisitModel.coarseReach * accuracy
    guard distance > rules.radius else { return }
    var absence = seen.absence ?? Absence(time: time, distance: distance, count: 0)
    absence.count = min(absence.count, VisitModel.leastAway - 1) + 1
    self.seen?.absence = absence
  }

  /// A silent stay is reported when the device has moved on from the first fix after the silence.
  ///
  /// - Parameter isDue: Whether it must be decided now, as another stay begins.
  mutating func settleSilent(
    _ update: FilterUpdate, _ rules: VisitRules, isDue: Bool = false, _ events: inout [Event]
  ) {
    guard let silent else { return }
    let hasReturned = silent.coordinate.isWithin(rules.radius, of: update.fix.coordinate)
    let wait = update.time.seconds(since: silent.silence.end)
    guard isDue || hasReturned || wait > VisitModel.silentPatience else { return }
    self.silent = nil
    // It may have been at the place of the new fix for all of the silence.
    let hasGone = !silent.heardAt.isWithin(
      VisitModel.elsewhere * rules.radius, of: update.fix.coordinate)
    guard hasGone, !hasReturned else { return }
    // By now the rhythm of the device is known.
    let departure = self.departure(in: silent.silence, update.rhythm)
    let length = departure.time.seconds(since: silent.arrival)
    guard length >= VisitModel.leastSilence * rules.minimumStay else { return }
    var visit = Visit(
      arrival: silent.arrival, isArrivalSeen: true, departure: departure.time,
      confidence: VisitModel.silentConfidence(length: length))
    visit.arrivalUncertainty = VisitModel.timeUncertainty(silent.arrivalUncertainty)
    visit.departureUncertainty = VisitModel.timeUncertainty(departure.uncertainty)
    ended = departure.time
    events.append(
      Event(
        statement: .visit(visit), time: departure.time, decided: update.decided,
        coordinate: silent.coordinate, horizontalAccuracy: silent.horizontalAccuracy))
  }

  /// The 68 % radius of the place of a stay that only a silence shows, metres.
  ///
  /// A device that reports once for so many metres goes on after its last fix by up to as many: by 0.68
  /// of them or less in 68 of 100 cases. It is not expected to have gone on farther than where it is heard
  /// again. Where it was seen at rest, the place is that of its fix.
  private func silentAccuracy(_ seen: LastFix, _ silence: Silence) -> Double {
    let first = max(first, trail.start)
    guard trail.end - first < 2, first > trail.start else { return seen.horizontalAccuracy }
    let step = trail[first - 1].fixDistance(to: trail[first].fix)
    return hypot(seen.horizontalAccuracy, VisitModel.stepShare * min(step, silence.distance))
  }

  /// When the device came to its last position; nil when only a single fix without any before it shows
  /// it there.
  private func silentArrival(
    _ seen: LastFix, _ rhythm: Rhythm
  ) -> Departure? {
    let first = max(first, trail.start)
    guard first < trail.end, let map else { return nil }
    if trail.end - first < 2 {
      guard first > trail.start, trail.seconds(from: first - 1, to: first) < VisitModel.sparse
      else { return nil }
    }
    let arrival = arrival(at: map.vector(to: seen.coordinate), byFixes: true, rhythm)
    // Not before it was seen there, and not before the last stay ended.
    let time = max(arrival.time, trail[first].time, ended ?? arrival.time)
    return Departure(time: time, uncertainty: arrival.uncertainty)
  }
}
