public import Geodesy
public import Tracking

/// Where a device is and how it moves, from all its fixes so far.
///
/// The engine follows several explanations of the fixes side by side: the device rests, walks or rides.
/// This is their mixture at the time of the last fix; nothing is predicted beyond it.
public struct MotionEstimate: Sendable, Hashable {
  /// The time of the last fix that was used.
  public var time: Timestamp
  /// The mean of the mixture.
  public var coordinate: Coordinate
  /// How far the true position may be from ``coordinate``.
  public var covariance: PositionCovariance
  /// How it moves, if it moves.
  public var velocity: Velocity
  /// How probable each explanation is.
  public var modes: ModeProbabilities

  /// Makes an estimate, such as one that a test gives to a handler.
  ///
  /// - Parameters:
  ///   - time: The time of the last fix.
  ///   - coordinate: The mean position.
  ///   - covariance: How far the position may be off.
  ///   - velocity: How it moves, if it moves.
  ///   - modes: The probabilities of resting, walking and riding.
  public init(
    time: Timestamp, coordinate: Coordinate, covariance: PositionCovariance, velocity: Velocity,
    modes: ModeProbabilities
  ) {
    (self.time, self.coordinate, self.covariance) = (time, coordinate, covariance)
    (self.velocity, self.modes) = (velocity, modes)
  }

  /// The radius that holds the true position with probability 0.68, metres, for a circular distribution
  /// of the same size.
  public var horizontalAccuracy: Double {
    let variance = max((covariance.east + covariance.north) / 2, 0.01)
    return variance.squareRoot() * AccuracyRadius.engineSigmas
  }
}

/// The covariance of a position on a plane around it, square metres.
public struct PositionCovariance: Sendable, Hashable, Codable {
  /// The variance to the east, square metres.
  public var east: Double
  /// The variance to the north, square metres.
  public var north: Double
  /// The covariance of both, square metres; positive when the error lies from south-west to north-east.
  public var eastNorth: Double

  /// Makes a covariance from square metres.
  public init(east: Double, north: Double, eastNorth: Double) {
    (self.east, self.north, self.eastNorth) = (east, north, eastNorth)
  }
}

/// A velocity over ground.
public struct Velocity: Sendable, Hashable, Codable {
  /// Metres per second to the east.
  public var east: Double
  /// Metres per second to the north.
  public var north: Double
  /// One sigma along each axis, metres per second; nil when it is unknown.
  public var sigma: Double?

  /// Makes a velocity from metres per second.
  public init(east: Double, north: Double, sigma: Double? = nil) {
    (self.east, self.north, self.sigma) = (east, north, sigma)
  }

  /// Metres per second.
  public var speed: Double { Vector(x: east, y: north).length }
}

/// How probable each explanation of a device's fixes is; together 1.
public struct ModeProbabilities: Sendable, Hashable, Codable {
  /// That the device rests, 0...1.
  public var resting: Double
  /// That it moves slowly, as on foot, 0...1.
  public var walking: Double
  /// That it moves fast, as in a vehicle, 0...1.
  public var riding: Double

  /// Makes probabilities.
  public init(resting: Double, walking: Double, riding: Double) {
    (self.resting, self.walking, self.riding) = (resting, walking, riding)
  }
}
