internal import Geodesy

/// The measurement that a fix gives to the filter, on its flat map.
package struct FixMeasurement: Sendable, Hashable, Codable, RecentFix {
  /// The receiver's time of the fix.
  var time: Timestamp
  /// Metres east and north of the map's origin.
  var x: Double
  var y: Double
  /// 68 % radius, metres; assumed when the fix has none.
  var accuracy: Double
  /// Metres per second, nil when unknown.
  var speed: Float?
  /// Velocity along both axes of the map as reported, metres per second; 0 when it is too slow to
  /// have a course.
  var east: Float = 0
  var north: Float = 0
  /// Whether the velocity is known.
  var hasVelocity = false
}

extension FixMeasurement {
  /// A fix on a map.
  ///
  /// The course is turned by the convergence of meridians: north of the map is that of its origin.
  init(_ fix: Fix, at time: Timestamp, place: Vector, on map: LocalFrame) {
    self.init(
      time: time, x: place.x, y: place.y,
      accuracy: fix.horizontalAccuracy ?? Self.guessedAccuracy)
    setVelocity(
      speed: fix.speed,
      course: fix.course.map { $0 - map.convergence(at: fix.coordinate) })
  }

  /// Takes a speed, and a course in degrees clockwise from the map's north, if they are known.
  private mutating func setVelocity(speed: Double?, course: Double?) {
    guard let speed, speed <= MotionModel.mostSpeed else { return }
    self.speed = Float(speed)
    if speed <= MotionModel.leastCourseSpeed {
      hasVelocity = true
    } else if let course {
      let direction = Direction(degrees: course)
      (east, north) = (Float(speed * direction.sine), Float(speed * direction.cosine))
      hasVelocity = true
    }
  }

  /// The accuracy of a fix without one: ``MotionModel/unknownAccuracy`` and a millimetre, which no receiver
  /// claims, so it marks the guess.
  static let guessedAccuracy = MotionModel.unknownAccuracy + 1.0 / 1_024

  /// Whether the fix claims an accuracy; otherwise it is a guess.
  var isAccuracyStated: Bool { accuracy != Self.guessedAccuracy }

  /// Whether another has the same place to the last digit, whatever map it came from: to 0.1 mm.
  func isSamePlace(as other: FixMeasurement) -> Bool {
    abs(x - other.x) < 1e-4 && abs(y - other.y) < 1e-4
  }

  /// Whether it says nothing new of the velocity: it has no speed, or repeats one of a device that moves.
  func repeatsVelocity(of other: FixMeasurement) -> Bool {
    guard let speed else { return true }
    return speed == other.speed && Double(speed) > MotionModel.leastCourseSpeed
  }

  /// Whether a place on the same map is farther away than this, metres.
  func isFar(from place: Vector, _ distance: Double) -> Bool {
    Vector(x: x - place.x, y: y - place.y).squaredLength > distance * distance
  }

  /// One sigma along one axis that the claimed accuracy stands for, metres, as it is believed of a
  /// device that may be at rest.
  package var sigma: Double { Self.sigma(ofAccuracy: accuracy) }

  /// The same for one that surely moves.
  var movingSigma: Double {
    Self.sigma(ofAccuracy: accuracy, least: MotionModel.leastMovingAccuracy)
  }

  /// The same for any accuracy, none better than `least` being believed, metres.
  package static func sigma(
    ofAccuracy accuracy: Double, least: Double = MotionModel.leastAccuracy
  ) -> Double {
    min(max(accuracy, least), MotionModel.mostAccuracy) / AccuracyRadius.claimedSigmas
  }
}
