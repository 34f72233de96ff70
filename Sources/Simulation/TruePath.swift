package import Geodesy
package import Tracking

/// Where somebody truly was, at every instant from the start of a plan to its end.
package struct TruePath: Sendable {
  /// What is true at one instant.
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

  /// Carries out a plan.
  package init(_ plan: Plan) {
    start = plan.start
    var place = plan.origin
    for step in plan.steps {
      stepStarts.append(duration)
      switch step {
      case .stay(let seconds, let environment):
        append(.rest(place, environment), lasting: seconds)
      case .travel(let waypoints, let mode):
        travel(waypoints, mode, from: &place)
      }
    }
  }

  /// Goes evenly along geodesics from place to place: the path that fixes seem to tell.
  ///
  /// Times must not fall; a place at the time of the one before it is passed over.
  package init?(joining places: [(time: Timestamp, coordinate: Coordinate)]) {
    guard let first = places.first else { return nil }
    start = first.time
    for (from, to) in zip(places, places.dropFirst()) {
      let seconds = to.time.seconds(since: from.time)
      guard seconds > 0 else { continue }
      let route = Route(from: from.coordinate, through: [Waypoint(to.coordinate)])
      let speed = route.length / seconds
      let motion: Motion =
        speed > 0 ? .even(route, speed: speed) : .rest(from.coordinate, .open)
      append(motion, lasting: seconds)
    }
  }

  private mutating func travel(
    _ waypoints: [Waypoint], _ mode: TravelMode, from place: inout Coordinate
  ) {
    var rest = waypoints[...]
    while let last = rest.last {
      let halt = rest.firstIndex { $0.halt > 0 } ?? rest.index(before: rest.endIndex)
      let route = Route(from: place, through: rest[...halt])
      let profile = SpeedProfile(length: route.length, mode: mode)
      append(.profiled(route, profile), lasting: profile.duration)
      place = halt < rest.endIndex ? rest[halt].place : last.place
      append(.rest(place, rest[halt].environment), lasting: rest[halt].halt)
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
  /// What is true `seconds` after the start (held at the ends), nil for an empty plan.
  package func state(at seconds: Double) -> State? {
    piece(at: seconds)?.state(at: seconds, of: self)
  }

  /// What is true at an instant, nil for an empty plan.
  package func state(at time: Timestamp) -> State? {
    state(at: time.seconds(since: start))
  }

  /// Until when the motion of an instant goes on, in seconds after the start, and how fast it is
  /// at most: 0 metres per second for a rest.
  func outlook(at seconds: Double) -> (end: Double, topSpeed: Double)? {
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

/// A part of a path on which one kind of motion goes on.
private struct Piece: Sendable {
  /// Seconds after the start of the path.
  let begin: Double
  let motion: Motion

  func state(at seconds: Double, of path: TruePath) -> TruePath.State? {
    let time = min(max(seconds, 0), path.duration) - begin
    switch motion {
    case .rest(let place, let environment):
      return .init(coordinate: place, speed: 0, course: nil, environment: environment)
    case .profiled(let route, let profile):
      return state(on: route, at: profile.distance(at: time), speed: profile.speed(at: time))
    case .even(let route, let speed):
      return state(on: route, at: speed * time, speed: speed)
    }
  }

  private func state(on route: Route, at distance: Double, speed: Double) -> TruePath.State? {
    route.place(at: distance).map { place, course, environment in
      .init(
        coordinate: place, speed: speed, course: speed > 0 ? course : nil,
        environment: environment)
    }
  }
}

private enum Motion: Sendable {
  case rest(Coordinate, Environment)
  case profiled(Route, SpeedProfile)
  case even(Route, speed: Double)

  var topSpeed: Double {
    switch self {
    case .rest: 0
    case .profiled(_, let profile): profile.peak
    case .even(_, let speed): speed
    }
  }
}
