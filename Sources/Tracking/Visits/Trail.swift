internal import Geodesy

/// The last points of a device on a flat map, by which candidates for a visit are judged.
///
/// Points have numbers that count from the first one ever, so that a number stays valid while old
/// points are removed.
struct Trail: Sendable, Hashable, Codable {
  /// One of them.
  struct Point: Sendable, Hashable, Codable {
    /// That of the fix.
    var time: Timestamp
    /// Where the estimate was, and one sigma of it.
    var place: Vector
    var sigma: Double
    /// Metres per second, as far as the device moved.
    var speed: Double
    /// Probability that it rested.
    var stillness: Double
    /// Where the fix was, and one sigma that it claimed.
    var fix: Vector
    var fixSigma: Double

    /// Whether the device goes by, whatever is near.
    var isPassing: Bool { stillness < 0.5 && speed > VisitModel.passingSpeed }

    func distance(to other: Vector) -> Double { Trail.distance(place, other) }
    func fixDistance(to other: Vector) -> Double { Trail.distance(fix, other) }
  }

  private var points: [Point] = []
  /// The number of the first point that is kept, counted from the first ever.
  private(set) var base = 0
  /// The number of the next point.
  var end: Int { base + points.count }
  /// The number of the oldest point that is remembered.
  var start: Int { max(base, end - VisitModel.trailLength) }

  static func distance(_ a: Vector, _ b: Vector) -> Double {
    Vector(x: a.x - b.x, y: a.y - b.y).length
  }

  /// The point with a number in `start..<end`.
  subscript(number: Int) -> Point {
    points[number - base]
  }

  /// Adds a point, or replaces the last one when both are close in time.
  ///
  /// Points are at least ``VisitModel/spacing`` seconds apart; the oldest are forgotten beyond
  /// ``VisitModel/trailLength``.
  mutating func append(_ point: Point) {
    if points.count >= 2,
      point.time.seconds(since: self[end - 2].time) < VisitModel.spacing
    {
      points[points.count - 1] = point
      return
    }
    // Several at a time, as removing the first ones moves all others.
    if points.count == VisitModel.trailLength + Self.spare {
      points.removeFirst(Self.spare)
      base += Self.spare
    }
    points.append(point)
  }

  private static let spare = 96

  /// Moves the points from a time on to their fixes.
  ///
  /// - Returns: the number of the first of them; ``end`` when there is none.
  mutating func takeFixes(since time: Timestamp) -> Int {
    var number = end
    while number > start, self[number - 1].time >= time {
      number -= 1
      let index = number - base
      (points[index].place, points[index].sigma) = (points[index].fix, points[index].fixSigma)
    }
    return number
  }

  /// Moves points to their fixes where these show that the device was here all the time: the estimate
  /// went away and came back, and no fix did.
  ///
  /// - Parameter first: Where the candidate begins: no point is moved that is not needed for it.
  /// - Returns: the number of the first of them; nil when there is none.
  mutating func takeBack(from first: Int) -> Int? {
    let now = self[end - 1].place
    var number = end - 1
    while number > start, isNeeded(number - 1, before: first) {
      let point = self[number - 1]
      let reach = VisitModel.agreement + 2 * point.fixSigma
      guard point.distance(to: now) > reach, point.fixDistance(to: now) < reach else { break }
      number -= 1
      (points[number - base].place, points[number - base].sigma) = (point.fix, point.fixSigma)
    }
    return number < end - 1 ? number : nil
  }

  /// Removes the last point.
  mutating func removeLast() { points.removeLast() }

  /// Moves the last points to another map and forgets the others.
  ///
  /// They show when a device came that is at another place with its next fix. After a silence in which it
  /// may have been anywhere they show nothing.
  ///
  /// - Parameter contradiction: Since when fixes were at the new place that were not believed; nil for none.
  mutating func move(
    from old: LocalFrame, to new: LocalFrame, at time: Timestamp, since contradiction: Timestamp?
  ) {
    var known = end
    if let contradiction {
      while known > start, self[known - 1].time >= contradiction { known -= 1 }
    }
    let last = lastNew(before: known, from: known - 1)
    let latest = max(start, last + 1 - VisitModel.clingingFixes)
    var (first, next) = (end, time)
    while first > latest, next.seconds(since: self[first - 1].time) <= VisitModel.longestJourney {
      first -= 1
      next = self[first].time
    }
    guard first < end else { return clear() }
    points.removeFirst(first - base)
    base = first
    for index in points.indices {
      let point = points[index]
      (points[index].place, points[index].fix) = new.vectors(
        to: old.coordinate(at: point.place), old.coordinate(at: point.fix))
    }
  }

  /// The number of the last point before another one, or before the silence after which only its position was
  /// repeated until then (``Wake``).
  ///
  /// - Parameter first: Where the candidate begins: no point is looked at that is not needed for it.
  func lastNew(before number: Int, from first: Int) -> Int {
    var place = number - 1
    while place > start, isNeeded(place - 1, before: first),
      self[place - 1].fix == self[place].fix
    {
      let silence = seconds(from: place - 1, to: place)
      let isLate = number < end && !Wake.matters(silence, seconds(from: place, to: number))
      if Wake.isLong(silence), !isLate { return place - 1 }
      place -= 1
    }
    return number - 1
  }

  /// Removes all points.
  mutating func clear() { begin(at: 0) }

  /// Removes all points; the next one gets the given number.
  mutating func begin(at number: Int) {
    points.removeAll(keepingCapacity: true)
    base = number
  }

  /// Adds a point as it was.
  mutating func restore(_ point: Point) { points.append(point) }

  /// The number of the first point that is still needed when no query begins before `first`: one from
  /// before the longest span of a query, and of sparse points a few.
  func needed(from first: Int) -> Int {
    var number = max(start, min(first, end - 1))
    while number > start, isNeeded(number - 1, before: first) { number -= 1 }
    // Appending needs the last two.
    return max(start, min(number, end - 2))
  }

  /// Whether a point is one of those that are needed.
  func isNeeded(_ number: Int, before first: Int) -> Bool {
    let last = max(start, min(first, end - 1))
    return last - number <= VisitModel.neededFixes
      || seconds(from: number + 1, to: last) < VisitModel.longCreep
  }

  /// Seconds from one point to another.
  func seconds(from first: Int, to second: Int) -> Double {
    self[second].time.seconds(since: self[first].time)
  }

  /// The speed at a point, metres per second.
  ///
  /// That of the estimate, or between its fix and that of a neighbour, whichever is higher. A neighbour
  /// that is not remembered does not count.
  func speed(at number: Int, from neighbour: Int) -> Double {
    guard (start..<end).contains(neighbour) else { return self[number].speed }
    let seconds = max(abs(seconds(from: neighbour, to: number)), 1)
    return max(
      self[number].speed, self[number].fixDistance(to: self[neighbour].fix) / seconds)
  }

  /// Whether this is a valid state.
  var isValid: Bool {
    points.count <= VisitModel.trailLength + Self.spare && base >= 0 && base < 1 << 60
      && !(points.isEmpty && base > 0)
  }

  /// The weight of a point: seconds until the next one, bounded.
  func stand(of number: Int) -> Double {
    guard number + 1 < end else { return 1 }
    return max(1, min(seconds(from: number, to: number + 1), VisitModel.longestStand))
  }

  /// How much a point of this sigma counts.
  static func weight(sigma: Double) -> Double {
    1 / (sigma * sigma + VisitModel.weightFloor * VisitModel.weightFloor)
  }

  /// The weighted mean of the points from `first` on.
  ///
  /// Weighted by `time / (sigma² + (5 m)²)`: the time that the point stood, at most 300 s.
  func center(from first: Int) -> Vector {
    var (x, y, sum) = (0.0, 0.0, 0.0)
    for number in first..<end {
      let point = self[number]
      let weight = Self.weight(sigma: point.sigma) * stand(of: number)
      x += weight * point.place.x
      y += weight * point.place.y
      sum += weight
    }
    return Vector(x: x / sum, y: y / sum)
  }

  /// The sum of the weights of the points from `first` on.
  func weight(from first: Int) -> Double {
    (first..<end).reduce(0) { $0 + Self.weight(sigma: self[$1].sigma) * stand(of: $1) }
  }
}
