package import Geodesy
package import Tracking

/// The true state of a person or vehicle at every instant from the start of a plan to its end.
package struct TruePath: Sendable {
  /// The true state at one instant.
  package struct State: Sendable, Hashable {
    package var coordinate: Coordinate
    /// Metres per second.
    package var speed: Double
    /// Degrees clockwise from true north, nil at rest.
    package var course: Double?
    package var environment: Environment
  }

  package let start: Timestamp
  /// Seconds from start to end.
  package private(set) var duration = 0.0
  /// When each step of the plan begins, in seconds after the start.
  package private(set) var stepStarts: [Double] = []
  private var pieces: [Piece] = []

  /// Computes the path of a plan.
  package init(_ plan: Plan) {
    start = plan.start
    var position = plan.origin
    for step in plan.steps {
      stepStarts.append(duration)
      switch step {
      case .stay(let seconds, let environment):
        append(.rest(position, environment), lasting: seconds)
      case .travel(let waypoints, let mode):
        travel(waypoints, mode, from: &position)
      }
    }
  }

  /// Moves at constant speed along geodesics from position to position.
  ///
  /// Times must not decrease; a position at the time of the previous one is skipped.
  package init?(joining places: [(time: Timestamp, coordinate: Coordinate)]) {
    guard let first = places.first else { return nil }
    start = first.time
    for (from, to) in zip(places, places.dropFirst()) {
      let seconds = to.time.seconds(since: from.time)
      guard seconds > 0 else { continue }
      let route = GeodesicPath(from: from.coordinate, through: [Waypoint(to.coordinate)])
      let speed = route.length / seconds
      let motion: Motion =
        speed > 0 ? .even(route, speed: speed) : .rest(from.coordinate, .open)
      append(motion, lasting: seconds)
    }
  }

  private mutating func travel(
    _ waypoints: [Waypoint], _ mode: TravelMode, from position: inout Coordinate
  ) {
    var rest = waypoints[...]
    while let last = rest.last {
      let halt = rest.firstIndex { $0.halt > 0 } ?? rest.index(before: rest.endIndex)
      let route = GeodesicPath(from: position, through: rest[...halt])
      let profile = SpeedProfile(length: route.length, mode: mode)
      append(.profiled(route, profile), lasting: profile.duration)
      position = halt < rest.endIndex ? rest[halt].position : last.position
      append(.rest(position, rest[halt].environment), lasting: rest[halt].halt)
      rest = rest[(halt + 1)...]
    }
  }

  private mutating func append(_ motion: Motion, lasting seconds: Double) {
    guard seconds > 0 else { return }
    pieces.append(Piece(begin: duration, motion: motion))
    duration += seconds
  }
}

extension TruePath {
  /// The state `seconds` after the start, clamped to the ends; nil for an empty plan.
  package func state(at seconds: Double) -> State? {
    piece(at: seconds)?.state(at: seconds, of: self)
  }

  /// The state at an instant, nil for an empty plan.
  package func state(at time: Timestamp) -> State? {
    state(at: time.seconds(since: start))
  }

  /// The end of the current motion, in seconds after the start, and its top speed: 0 metres per
  /// second at rest.
  func motionBound(at seconds: Double) -> (end: Double, topSpeed: Double)? {
    index(at: seconds).map { index in
      let end = index + 1 < pieces.count ? pieces[index + 1].begin : duration
      return (end, pieces[index].motion.topSpeed)
    }
  }

  private func piece(at seconds: Double) -> Piece? {
    index(at: seconds).map { pieces[$0] }
  }

  private func index(at seconds: Double) -> Int? {
    var (low, high) = (0, pieces.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if pieces[middle].begin <= seconds { low = middle } else { high = middle }
    }
    return pieces.isEmpty ? nil : low
  }
}

/// A part of a path with one kind of motion.
private struct Piece: Sendable {
  /// Seconds after the start of the path.
  let begin: Double
  let motion: Motion

  func state(at seconds: Double, of path: TruePath) -> TruePath.State? {
    let time = min(max(seconds, 0), path.duration) - begin
    switch motion {
    case .rest(let position, let environment):
      return .init(coordinate: position, speed: 0, course: nil, environment: environment)
    case .profiled(let route, let profile):
      return state(on: route, at: profile.distance(at: time), speed: profile.speed(at: time))
    case .even(let route, let speed):
      return state(on: route, at: speed * time, speed: speed)
    }
  }

  private func state(on route: GeodesicPath, at distance: Double, speed: Double) -> TruePath.State?
  {
    route.position(at: distance).map { position, course, environment in
      .init(
        coordinate: position, speed: speed, course: speed > 0 ? course : nil,
        environment: environment)
    }
  }
}

private enum Motion: Sendable {
  case rest(Coordinate, Environment)
  case profiled(GeodesicPath, SpeedProfile)
  case even(GeodesicPath, speed: Double)

  var topSpeed: Double {
    switch self {
    case .rest: 0
    case .profiled(_, let profile): profile.peak
    case .even(_, let speed): speed
    }
  }
}
