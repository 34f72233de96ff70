internal import Geodesy

/// Stays that are visible only as silence.
///
/// Most phones report only while they move: a stay of hours is a few fixes, a silence, and a fix
/// elsewhere. A silence with little net displacement is a stay at the place where it began; it ended
/// when the device must have set off to be where it was heard again (``Rhythm``).
extension VisitMonitor {
  /// What a silence before this fix says.
  mutating func judgeSilence(
    _ update: FilterUpdate, _ rules: VisitRules, memory: Double, _ events: inout [Event]
  ) {
    settleSilent(update, rules, &events)
    guard let seen else { return }
    let gap = update.time.seconds(since: seen.time)
    guard gap > rules.minimumStay else { return }
    // What nobody saw for so long is two stays.
    if gap > memory, stay != nil {
      let sigma = gap / 12.0.squareRoot()
      stay?.left = Departure(time: seen.time, uncertainty: sigma)
      end(by: seen.time, decided: update.decided, rules, &events)
      trail.clear()
      (first, self.seen) = (0, nil)
      return
    }
    // It had left before the silence.
    if let stay, stay.awayCount >= VisitModel.leastAway {
      end(by: seen.time, decided: update.decided, rules, &events)
    }
    let accuracy = update.fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    let distance = seen.coordinate.distance(to: update.fix.coordinate)
    stay?.unseen += gap
    guard distance > VisitModel.elsewhere * rules.radius + 0.5 * min(accuracy, 60) else { return }
    let guess = update.rhythm.departure(
      silence: gap, distance: distance, speed: update.fix.speed)
    let left = Departure(
      time: seen.time.advanced(bySeconds: guess.offset), uncertainty: guess.sigma)
    if stay != nil {
      stay?.left = left
    } else if gap <= memory, distance <= VisitModel.silentRange,
      distance / gap < VisitModel.slowWay,
      guess.offset >= rules.minimumStay
    {
      silent = SilentStay(
        arrival: candidateArrival ?? seen.time, coordinate: seen.coordinate,
        horizontalAccuracy: seen.horizontalAccuracy, departure: left, heard: update.time,
        heardAt: update.fix.coordinate)
    }
  }

  /// A silent stay is reported when the device has gone on from where it was heard again.
  ///
  /// - Parameter isDue: Whether it is decided now, as another stay begins.
  mutating func settleSilent(
    _ update: FilterUpdate, _ rules: VisitRules, isDue: Bool = false, _ events: inout [Event]
  ) {
    guard let silent else { return }
    let hasReturned = silent.coordinate.isWithin(rules.radius, of: update.fix.coordinate)
    let wait = update.time.seconds(since: silent.heard)
    guard isDue || hasReturned || wait > VisitModel.silentPatience else { return }
    self.silent = nil
    // It may have stayed where it was heard again for all of the silence.
    let hasGone = !silent.heardAt.isWithin(
      VisitModel.elsewhere * rules.radius, of: update.fix.coordinate)
    guard hasGone, !hasReturned else { return }
    let length = silent.departure.time.seconds(since: silent.arrival)
    var visit = Visit(
      arrival: silent.arrival, isArrivalSeen: true, departure: silent.departure.time,
      confidence: VisitModel.confidence(length: length, unseen: length, rules))
    visit.arrivalUncertainty = VisitModel.leastSigma
    visit.departureUncertainty = silent.departure.uncertainty
    ended = silent.departure.time
    events.append(
      Event(
        statement: .visit(visit), time: silent.departure.time, decided: update.decided,
        coordinate: silent.coordinate, horizontalAccuracy: silent.horizontalAccuracy))
  }

  /// When the device came to where it was last seen, as far as the trail tells.
  private var candidateArrival: Timestamp? {
    guard trail.end > trail.start, first < trail.end else { return nil }
    return trail[max(first, trail.start)].time
  }
}
