package import Geodesy
package import Tracking

/// What a person intends to do: stays and trips, one after the other from a start.
package struct Plan: Sendable {
  /// One step of the plan.
  package enum Step: Sendable {
    /// Nothing moves for `seconds`.
    case stay(seconds: Double, Environment)
    /// From the end of the last step through all the waypoints.
    case travel([Waypoint], TravelMode)
  }

  package let start: Timestamp
  package let origin: Coordinate
  package private(set) var steps: [Step] = []

  /// Makes an empty plan that starts at a time and a position.
  package init(start: Timestamp, at origin: Coordinate) {
    self.start = start
    self.origin = origin
  }

  /// Stays where the last step ended.
  package mutating func stay(minutes: Double, _ environment: Environment = .open) {
    steps.append(.stay(seconds: minutes * 60, environment))
  }

  /// Travels through waypoints to the last of them.
  package mutating func travel(_ mode: TravelMode, through waypoints: [Waypoint]) {
    steps.append(.travel(waypoints, mode))
  }

  /// Travels through positions to the last of them without a halt.
  package mutating func travel(
    _ mode: TravelMode, through places: [Coordinate], _ environment: Environment = .open
  ) {
    travel(mode, through: places.map { Waypoint($0, environment) })
  }
}

/// A point on the way.
package struct Waypoint: Sendable, Hashable {
  package var position: Coordinate
  /// The environment on the way to it.
  package var environment: Environment
  /// Length of the halt here (a light, a bus stop), in seconds; 0 to pass at full speed.
  package var halt: Double

  package init(_ position: Coordinate, _ environment: Environment = .open, halt: Double = 0) {
    self.position = position
    self.environment = environment
    self.halt = halt
  }
}

/// How a person travels: constant acceleration, constant speed, constant braking before a halt.
package struct TravelMode: Sendable, Hashable {
  /// Metres per second.
  package var cruise: Double
  /// Metres per second squared, for speeding up and slowing down.
  package var acceleration: Double

  package init(cruise: Double, acceleration: Double) {
    self.cruise = cruise
    self.acceleration = acceleration
  }

  package static let walk = TravelMode(cruise: 1.4, acceleration: 0.8)
  package static let bike = TravelMode(cruise: 5.2, acceleration: 1)
  package static let car = TravelMode(cruise: 13, acceleration: 1.8)
  package static let bus = TravelMode(cruise: 9, acceleration: 1.2)
  package static let boat = TravelMode(cruise: 6, acceleration: 0.3)
  package static let plane = TravelMode(cruise: 75, acceleration: 2)

  /// The same mode at another speed, in metres per second.
  package func at(_ cruise: Double) -> TravelMode {
    TravelMode(cruise: cruise, acceleration: acceleration)
  }
}
