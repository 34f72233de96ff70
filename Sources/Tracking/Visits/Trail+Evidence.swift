internal import Geodesy
internal import Glibc

/// Whether the last points of a trail are a stay.
extension Trail {
  /// The first of the last points, not before `first`, that all lie around their centre.
  ///
  /// - Complexity: O(n²) for n points that were let in since the last call, most often O(n).
  func gathering(from first: Int, radius: Double) -> Int {
    var first = max(first, start)
    while first < end - 1 {
      let center = center(from: first)
      guard let offender = lastOutside(from: first, center, radius) else { return first }
      // An early stray point takes all before it with it; a late one only the oldest.
      let isEarly = offender < end - 1 && (offender - first) * 2 < end - first
      first = isEarly ? offender + 1 : first + 1
    }
    return first
  }

  /// The last point that is farther from the centre than its reach; nil when all are within.
  private func lastOutside(from first: Int, _ center: Vector, _ radius: Double) -> Int? {
    for number in stride(from: end - 1, through: first, by: -1) {
      let point = self[number]
      let reach =
        VisitModel.candidateShare * radius
        + VisitModel.sigmas * min(point.sigma, VisitModel.mostSigma)
      if point.distance(to: center) > reach { return number }
    }
    return nil
  }

  /// Log-odds that the points from `first` on are a stay and not traffic; nil when their time span is
  /// too short.
  ///
  /// The equation is in Docs/Accuracy.md, "Visits". Its weights come from a logistic regression and
  /// a search on simulated worlds. A candidate is a stay above ``VisitModel/threshold``.
  ///
  /// - Complexity: O(points from `first` on).
  func evidence(from first: Int, rules: VisitRules) -> Double? {
    guard end - first >= 2 else { return nil }
    let length = seconds(from: first, to: end - 1)
    guard length >= VisitModel.leastShare * rules.minimumStay else { return nil }
    let fit = fit(from: first)
    let away = self[end - 1].distance(to: center(from: first)) / VisitModel.endScale
    return VisitModel.base
      + VisitModel.lengthWeight * log(length / (2 * rules.minimumStay / 3))
      - VisitModel.driftWeight * min(fit.drift * length / (2 * (fit.sigma + 5)), 2)
      - VisitModel.shortCreepWeight * creep(to: first, VisitModel.shortCreep)
      - VisitModel.longCreepWeight * creep(to: first, VisitModel.longCreep)
      - VisitModel.moveWeight * (1 - fit.leastStillness)
      - VisitModel.endWeight * min(away, 2)
  }

  /// How much like creeping the way here was: 1 for about the speed of a jam, 0 for a walk or a ride.
  private func creep(to first: Int, _ span: Double) -> Double {
    var number = first
    while number > start, seconds(from: number, to: first) < span { number -= 1 }
    let elapsed = seconds(from: number, to: first)
    guard elapsed >= span / 2, elapsed <= 2 * span else { return 0 }
    let speed = max(self[number].distance(to: self[first].place) / elapsed, 1e-3)
    let ratio = log(speed / VisitModel.creepSpeed) / VisitModel.creepSpread
    return exp(-0.5 * ratio * ratio)
  }

  /// The line through the fixes over time: how fast they drift, their mean sigma, and the least
  /// stillness after the device had time to settle.
  private func fit(
    from first: Int
  ) -> (drift: Double, sigma: Double, leastStillness: Double) {
    let (count, origin) = (Double(end - first), self[first])
    var (time, x, y, sigma, least) = (0.0, 0.0, 0.0, 0.0, 1.0)
    for number in first..<end {
      let point = self[number]
      let elapsed = point.time.seconds(since: origin.time)
      time += elapsed / count
      x += (point.fix.x - origin.place.x) / count
      y += (point.fix.y - origin.place.y) / count
      sigma += point.fixSigma / count
      if elapsed > VisitModel.settling { least = min(least, point.stillness) }
    }
    var (square, slopeX, slopeY) = (0.0, 0.0, 0.0)
    for number in first..<end {
      let point = self[number]
      let offset = point.time.seconds(since: origin.time) - time
      square += offset * offset
      slopeX += offset * (point.fix.x - origin.place.x - x)
      slopeY += offset * (point.fix.y - origin.place.y - y)
    }
    let slope = Vector(x: slopeX, y: slopeY).length / max(square, 1)
    return (slope, sigma, least)
  }
}
