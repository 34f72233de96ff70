internal import Estimation
internal import Geodesy
public import Tracking

/// What the engine knows of its device at the last fix.
extension Tracker {
  /// Position, velocity and their probabilities; nil before the first fix that was used.
  ///
  /// - Complexity: O(fences that are near), about the cost of a fix.
  public var estimate: MotionEstimate? {
    guard let found = observation?.estimate, let positions else { return nil }
    let (modes, covariance) = (positions.modes, positions.covariance)
    return MotionEstimate(
      time: found.time, coordinate: found.coordinate,
      covariance: PositionCovariance(
        east: covariance.east, north: covariance.north, eastNorth: covariance.between),
      velocity: Velocity(
        east: found.velocity.x, north: found.velocity.y, sigma: velocitySigma),
      modes: ModeProbabilities(
        resting: modes.rest, walking: modes.walk, riding: modes.ride))
  }

  /// The fences in which the device is with at least this probability, in the order of the rules.
  ///
  /// Before the first fix there are none.
  ///
  /// - Parameter least: 0...1. For 0 there are all fences that are near, and those in which the events
  ///   have the device.
  /// - Complexity: O(fences that are near), about the cost of a fix.
  public func fences(inside least: Double = 0.5) -> [FenceStanding] {
    guard let observation else { return [] }
    var standings: [Int: FenceStanding] = [:]
    for (fence, since) in stays {
      standings[fence] = FenceStanding(
        fence: rules.fences.id(at: fence), probability: 0, since: since)
    }
    for (fence, probability) in observation.inside {
      standings[
        fence, default: FenceStanding(fence: rules.fences.id(at: fence), probability: 0, since: nil)
      ].probability = probability
    }
    return standings.filter { $0.value.probability >= least }.sorted { $0.key < $1.key }.map(
      \.value)
  }
}

extension Fleet {
  /// What is known of a device at its last fix; nil before the first, see `Tracker.estimate`.
  public func estimate(of device: Int) -> MotionEstimate? { self[device].estimate }

  /// The fences in which a device is with at least this probability, see `Tracker.fences(inside:)`.
  public func fences(of device: Int, inside least: Double = 0.5) -> [FenceStanding] {
    self[device].fences(inside: least)
  }
}
