/// What the filter takes of a fix, on its flat map.
struct Sighting: Sendable, Hashable, Codable {
  var time: Timestamp
  /// Metres east and north of the map's origin.
  var x: Double
  var y: Double
  /// 68 % radius, metres; assumed when the fix told none.
  var accuracy: Double
  /// Metres per second, nil when unknown.
  var speed: Double?
  /// Degrees clockwise from the map's north, nil when unknown.
  var course: Double?
}

extension Sighting {
  /// Whether another has the same place to the last digit, whatever map it came from: to 0.1 mm.
  func isSamePlace(as other: Sighting) -> Bool {
    abs(x - other.x) < 1e-4 && abs(y - other.y) < 1e-4
  }

  /// One sigma along one axis that the claimed accuracy stands for, metres, as it is believed of a
  /// device that may be at rest.
  var sigma: Double { Self.sigma(ofAccuracy: accuracy) }

  /// The same for one that surely moves.
  var movingSigma: Double {
    Self.sigma(ofAccuracy: accuracy, least: MotionModel.leastMovingAccuracy)
  }

  /// The same for any accuracy, none better than `least` being believed, metres.
  static func sigma(
    ofAccuracy accuracy: Double, least: Double = MotionModel.leastAccuracy
  ) -> Double {
    min(max(accuracy, least), MotionModel.mostAccuracy) / MotionModel.accuracyScale
  }
}
