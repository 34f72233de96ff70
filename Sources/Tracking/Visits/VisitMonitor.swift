internal import Geodesy
internal import Glibc

/// Reports when a device stays at a place, and when it has left.
///
/// Candidates are runs of points that lie around one centre. Whether one is a stay is weighed by its
/// length against all that speaks for traffic: a drift, having crept there, moving in between. A
/// stay goes on through excursions and gaps that end where they began; it ends when the device was
/// away for long, or is at another place.
///
/// Docs/Accuracy.md, "Visits", has the equations, their sources and the figures.
struct VisitMonitor: Sendable, Hashable, Codable {
  /// A stay that has not ended.
  struct Stay: Sendable, Hashable, Codable {
    /// When it came, or was first seen there.
    var arrival: Timestamp
    /// Whether it was seen to come.
    var isArrivalSeen: Bool
    /// One sigma of the arrival, seconds.
    var arrivalUncertainty: Double
    /// The weighted mean of the estimates at the place, metres on the map.
    var center: Vector
    /// One sigma of the centre along one axis, metres: the least of its points.
    var sigma: Double
    /// Sum of the weights of its points, and the mean square of their distances from the centre.
    var weight: Double
    var spread = 0.0
    /// Number and time of the last point at the place.
    var last: Int
    var lastTime: Timestamp
    /// When the device was first away since then, and the number of points away.
    var away: Timestamp?
    var awayCount = 0
    /// Where its fixes were.
    var fixes: StayFixes
    /// The silence in which it left, if it was in one.
    var left: Silence?
    /// How much of the stay was silent, seconds.
    var unseen = 0.0
  }

  /// When a device left, and one sigma of that in seconds.
  struct Departure: Sendable, Hashable, Codable {
    var time: Timestamp
    var uncertainty: Double
  }

  /// A stay without fixes but for its first moments: the device was silent, and its next fix is elsewhere
  /// and so late that it cannot have travelled all the time.
  struct SilentStay: Sendable, Hashable, Codable {
    var arrival: Timestamp
    var arrivalUncertainty: Double
    var coordinate: Coordinate
    var horizontalAccuracy: Double
    var silence: Silence
    /// The position of the first fix after the silence.
    var heardAt: Coordinate
  }

  /// The last fix that is exact enough to show where the device was.
  struct LastFix: Sendable, Hashable, Codable {
    var time: Timestamp
    var coordinate: Coordinate
    var horizontalAccuracy: Double
    /// The coarse fixes since then that contradict it; nil when they agree.
    var absence: Absence?
  }

  /// Coarse fixes that only show that a device is elsewhere.
  struct Absence: Sendable, Hashable, Codable {
    /// When the first of them came, and how far away it is at least, metres.
    var time: Timestamp
    var distance: Double
    /// How many there are, at most ``VisitModel/leastAway``.
    var count: Int
  }

  /// The last points, by which candidates are judged.
  var trail = Trail()
  /// The stay that goes on and was reported; nil when there is none.
  var stay: Stay?
  /// A silence that may have been a stay; nil when there is none to decide.
  var silent: SilentStay?
  /// The last fix that is no coarser than a place; nil when there is none.
  var seen: LastFix?
  /// Number of the first point that may be part of a candidate.
  var first = 0
  /// The flat map of the trail, most often that of the filter; nil before the first fix.
  var map: LocalFrame?
  /// Whether the map was replaced, so the device was seen to arrive wherever it is.
  var hasMoved = false
  /// When the last stay ended.
  var ended: Timestamp?
  /// Whether the fixes themselves are taken, as the estimate has not followed them.
  var takesFixes = false
  /// Seconds between the last fixes.
  var gap = 0.0

  /// Whether a stay goes on; to compare the stay with nil would copy it.
  private var isStaying: Bool { if case .some = stay { true } else { false } }

  /// A new estimate at a fix.
  ///
  /// - Parameter memory: A stay with a longer silence, seconds, becomes two.
  mutating func ingest(
    _ update: FilterUpdate, rules: VisitRules, memory: Double, into events: inout [Event]
  ) {
    // A fix that is coarser than the place is not evidence of a stay there.
    let accuracy = update.fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    guard accuracy <= VisitModel.mostAccuracy * rules.radius else {
      judgeCoarse(update.fix, update.time, accuracy, rules)
      return
    }
    judgeSilence(update, rules, memory: memory, &events)
    seen = LastFix(
      time: update.time, coordinate: update.fix.coordinate, horizontalAccuracy: accuracy)
    follow(update, rules, &events)
  }

  private mutating func follow(
    _ update: FilterUpdate, _ rules: VisitRules, _ events: inout [Event]
  ) {
    let (place, fix) = places(at: update, rules, &events)
    if let ended = update.ended { follow(ended, update) }
    let elapsed = trail.end > 0 ? update.time.seconds(since: trail[trail.end - 1].time) : 0
    let lastGap = gap
    gap = elapsed
    let point = point(update, place, fix, elapsed)
    trail.append(point)
    // While fixes and estimate contradict each other, later fixes decide.
    guard !update.isContradicted else { return }
    guard isStaying else {
      if let number = trail.takeBack(from: first) { first = min(first, number) }
      first = trail.gathering(from: first, radius: rules.radius)
      beginIfSure(update, rules, &events)
      return
    }
    if continues(point, rules) { return }
    if stay?.away == nil {
      stay?.away = update.time
      first = trail.end - 1
    }
    stay?.awayCount += 1
    judgeAbsence(point, min(elapsed, lastGap), update, rules, &events)
  }

  /// The device has another clock: a stay ends with the one by which it was timed.
  mutating func restartClock(
    decided: Timestamp, rhythm: Rhythm, rules: VisitRules, into events: inout [Event]
  ) {
    if trail.end > 0 {
      end(by: trail[trail.end - 1].time, decided: decided, rhythm, rules, &events)
    }
    self = VisitMonitor()
  }

  /// Whether this is a valid state.
  var isValid: Bool {
    trail.isValid && (trail.base...trail.end).contains(first)
      && stay.map {
        (0..<trail.end).contains($0.last) && GateCounts.possible.contains($0.awayCount)
          && $0.arrival <= $0.lastTime && $0.lastTime <= trail[trail.end - 1].time
      } ?? true
  }
}

// MARK: - Points

extension VisitMonitor {
  /// The estimate and the fix on the flat map, which is replaced when the device is far from its origin.
  private mutating func places(
    at update: FilterUpdate, _ rules: VisitRules, _ events: inout [Event]
  ) -> (place: Vector, fix: Vector) {
    let positions = update.positions
    if let map {
      // Usually it is the filter's map.
      let (place, fix) =
        map.origin == positions.map.origin
        ? (positions.place, update.place)
        : map.vectors(to: positions.map.coordinate(at: positions.place), update.fix.coordinate)
      let square = place.squaredLength
      let (radius, reach) = (MotionModel.mapRadius, MotionModel.mapRadius + VisitModel.mapSlack)
      if square <= radius * radius || (square <= reach * reach && isNear(place, rules)) {
        return (place, fix)
      }
      // No stay continues so far away.
      if isStaying {
        let elapsed = trail.end > 0 ? update.time.seconds(since: trail[trail.end - 1].time) : 0
        trail.append(point(update, place, fix, elapsed))
        end(by: update.time, decided: update.decided, update.rhythm, rules, &events)
        trail.removeLast()
      }
    }
    // The filter's map, unless the device is about to leave that one too.
    let isOnMap = !MotionModel.isFar(positions.place)
    let new =
      isOnMap ? positions.map : LocalFrame(origin: positions.map.coordinate(at: positions.place))
    if let map {
      trail.move(from: map, to: new, at: update.time, since: update.ended?.time)
    }
    hasMoved = map != nil
    first = trail.end
    map = new
    if isOnMap { return (positions.place, update.place) }
    return (Vector(x: 0, y: 0), new.vector(to: update.fix.coordinate))
  }

  /// Whether a place may belong to the stay or the candidate that a new map would cut in two.
  private func isNear(_ place: Vector, _ rules: VisitRules) -> Bool {
    guard let stay else {
      return trail.end > 0 && trail[trail.end - 1].distance(to: place) < rules.radius
    }
    if Trail.distance(place, stay.center) < VisitModel.farAway { return true }
    // It may stay elsewhere before it is sure that it left.
    let begins = max(first, stay.last + 1, trail.start)
    guard stay.away != nil, begins < trail.end else { return false }
    return trail[begins].distance(to: place) < rules.radius
  }

  /// The estimate, unless the fixes are sparse and it has not followed them: then the fix itself.
  private mutating func point(
    _ update: FilterUpdate, _ place: Vector, _ fix: Vector, _ elapsed: Double
  ) -> Trail.Point {
    let accuracy = update.fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    let fixSigma = FixMeasurement.sigma(ofAccuracy: accuracy)
    if Trail.distance(place, fix) < VisitModel.agreement + 2 * fixSigma {
      takesFixes = false
    } else if elapsed > VisitModel.sparse {
      takesFixes = true
    }
    var point = Trail.Point(
      time: update.time, place: place, sigma: update.positions.restSigma,
      speed: update.estimate.velocity.length * (1 - update.estimate.stillness),
      stillness: update.estimate.stillness, fix: fix, fixSigma: fixSigma)
    if takesFixes { (point.place, point.sigma, point.speed) = (fix, fixSigma, 0) }
    return point
  }
}

// MARK: - Staying

extension VisitMonitor {
  /// The estimate has caught up with the fixes: since then the device was where those were.
  private mutating func follow(_ contradiction: Contradiction, _ update: FilterUpdate) {
    if trail.end == 0 || trail[trail.start].time > contradiction.time,
      let place = map?.vector(to: contradiction.coordinate), !MotionModel.isFar(place)
    {
      trail.clear()
      first = 0
      // The map is new: it came here with the first of those fixes.
      let sigma = FixMeasurement.sigma(
        ofAccuracy: update.fix.horizontalAccuracy ?? MotionModel.unknownAccuracy)
      trail.append(
        Trail.Point(
          time: contradiction.time, place: place, sigma: sigma, speed: 0,
          stillness: update.estimate.stillness, fix: place, fixSigma: sigma))
      return
    }
    let number = trail.takeFixes(since: contradiction.time)
    guard number < trail.end else { return }
    first = max(first, number)
    if stay == nil { first = number }
    guard let last = stay?.last, last >= number - 1, number > trail.start,
      trail[number - 1].time >= stay?.arrival ?? contradiction.time
    else { return }
    stay?.last = number - 1
    stay?.lastTime = trail[number - 1].time
    stay?.away = contradiction.time
    stay?.awayCount = trail.end - number
    first = number
  }
}

extension VisitMonitor {
  /// Whether the device is still at the place of its stay.
  private mutating func continues(
    _ point: Trail.Point, _ rules: VisitRules
  ) -> Bool {
    guard var stay else { return false }
    let distance = point.distance(to: stay.center)
    let reach =
      VisitModel.stayShare * rules.radius
      + VisitModel.sigmas * min(point.sigma, VisitModel.mostSigma) + stay.width(rules)
    // An estimate between two places is no return while the fixes are at the other one.
    let isBack = stay.away == nil || !(point.isPassing || stay.fixes.isElsewhere(point, reach))
    let isAtPlace = distance < reach && isBack
    // One that wanders off while the fixes stay is no departure.
    guard isAtPlace || (stay.fixes.isHere(point) && isBack) else { return false }
    let stood = min(max(point.time.seconds(since: stay.lastTime), 1), VisitModel.longestStand)
    if isAtPlace {
      let weight = Trail.weight(sigma: point.sigma) * stood
      stay.weight += weight
      stay.sigma = min(stay.sigma, point.sigma)
      let share = weight / stay.weight
      stay.center.x += share * (point.place.x - stay.center.x)
      stay.center.y += share * (point.place.y - stay.center.y)
      stay.spread += share * (distance * distance - stay.spread)
    }
    stay.fixes.take(point, center: stay.center, stood: stood)
    self.stay = stay
    comeBack(at: point.time)
    return true
  }

  /// The device is at the place.
  private mutating func comeBack(at time: Timestamp) {
    stay?.last = trail.end - 1
    stay?.lastTime = time
    stay?.away = nil
    stay?.awayCount = 0
    stay?.left = nil
    first = trail.end - 1
  }

  /// The device is away: it may be at another place by now, or have been away for long enough.
  private mutating func judgeAbsence(
    _ point: Trail.Point, _ gap: Double, _ update: FilterUpdate, _ rules: VisitRules,
    _ events: inout [Event]
  ) {
    guard let stay, let away = stay.away else { return }
    first = trail.gathering(from: max(first, stay.last + 1), radius: rules.radius)
    if let evidence = trail.evidence(from: first, rules: rules), evidence > VisitModel.threshold {
      let center = trail.center(from: first)
      if Trail.distance(center, stay.center) < VisitModel.samePlace + stay.width(rules) {
        comeBack(at: update.time)
      } else {
        end(by: update.time, decided: update.decided, update.rhythm, rules, &events)
        begin(update, &events)
      }
      return
    }
    let absence = update.time.seconds(since: away)
    let isFar =
      point.distance(to: stay.center) > VisitModel.farAway && point.stillness < 0.3
    let least = gap > VisitModel.sparse ? 2 : VisitModel.leastAway
    guard stay.awayCount >= least,
      absence >= VisitModel.absence || (isFar && absence >= VisitModel.farAbsence)
    else { return }
    end(by: update.time, decided: update.decided, update.rhythm, rules, &events)
  }
}

extension VisitMonitor.Stay {
  /// Where it is reported to be.
  var place: Vector { fixes.decide(center: center) ? fixes.place : center }

  /// How much wider than the radius the place was seen to be, metres.
  fileprivate func width(_ rules: VisitRules) -> Double {
    min(VisitModel.spreadFactor * spread.squareRoot(), rules.radius)
  }
}
