internal import Geodesy

/// The last points of a device, on a flat map: what a candidate for a visit is judged by.
struct Trail: Sendable, Hashable, Codable {
  /// One of them.
  struct Point: Sendable, Hashable, Codable {
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

    func distance(to other: Vector) -> Double { Trail.distance(place, other) }
    func fixDistance(to other: Vector) -> Double { Trail.distance(fix, other) }
  }

  private var points: [Point] = []
  /// The number of the next point, counted from the first ever.
  private(set) var end = 0
  /// The number of the oldest point that is remembered.
  var start: Int { end - points.count }

  static func distance(_ a: Vector, _ b: Vector) -> Double {
    Vector(x: a.x - b.x, y: a.y - b.y).length
  }

  /// The point with a number in `start..<end`.
  subscript(number: Int) -> Point {
    points[number % VisitModel.trailLength]
  }

  /// Adds a point, or puts it in the place of the last one when both are close in time.
  mutating func append(_ point: Point) {
    let length = VisitModel.trailLength
    if points.count >= 2,
      point.time.seconds(since: self[end - 2].time) < VisitModel.spacing
    {
      points[(end - 1) % length] = point
    } else if points.count < length {
      points.append(point)
      end += 1
    } else {
      points[end % length] = point
      end += 1
    }
  }

  /// Forgets all points.
  mutating func clear() {
    points.removeAll(keepingCapacity: true)
    end = 0
  }

  /// Seconds from one point to another.
  func seconds(from first: Int, to second: Int) -> Double {
    self[second].time.seconds(since: self[first].time)
  }

  /// Whether this can be a trail.
  var isValid: Bool {
    points.count <= VisitModel.trailLength && end >= points.count
      && (end == points.count || points.count == VisitModel.trailLength)
  }

  /// For how long a point stands, seconds, as a weight.
  func stand(of number: Int) -> Double {
    guard number + 1 < end else { return 1 }
    return max(1, min(seconds(from: number, to: number + 1), VisitModel.longestStand))
  }

  /// How much a point of this sigma counts.
  static func weight(sigma: Double) -> Double {
    1 / (sigma * sigma + VisitModel.weightFloor * VisitModel.weightFloor)
  }

  /// The weighted mean of the points from `first` on.
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
