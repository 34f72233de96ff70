import Geodesy
import Glibc

/// The planned days of one person: the steps one after another, and which of them are stays.
struct Itinerary: Sendable {
  /// A stay: the place and the steps of the plan during it.
  struct Stay: Sendable {
    let place: Place
    let steps: Range<Int>
  }

  let town: Town
  private(set) var plan: Plan
  /// Seconds planned so far.
  private(set) var elapsed = 0.0
  private(set) var stays: [Stay] = []
  /// The current place.
  private(set) var here: Place
  private var position: Vector
  var random: SeededGenerator

  /// The most metres of a path with one environment.
  private static let stride = Town.block
  /// Walking speed inside a place, metres per second.
  private static let stroll = TravelMode.walk.at(0.6)

  init(_ plan: Plan, in town: Town, at home: Place, _ random: SeededGenerator) {
    self.plan = plan
    self.town = town
    self.random = random
    here = home
    position = home.position
  }

  /// Seconds since midnight.
  var timeOfDay: Double { elapsed.truncatingRemainder(dividingBy: 86_400) }

  // MARK: Staying

  /// Stays at the current place, wandering between points in it.
  mutating func stay(seconds: Double) {
    let first = plan.steps.count
    let end = elapsed + max(1, seconds)
    let spot = here.wander > 3 ? 600.0 : 1800.0
    while true {
      let rest = random.exponential(mean: spot) + 30
      let target = here.position.wandered(here.wander, &random)
      // Leaves time to walk there and back to the door.
      let walks = (position.distance(to: target) + target.distance(to: here.position)) / 0.6 + 10
      guard elapsed + rest + walks < end else { break }
      addRest(rest)
      addStroll(to: target)
    }
    let back = position.distance(to: here.position) / 0.6 + 2
    addRest(max(0, end - elapsed - back))
    addStroll(to: here.position)
    addRest(max(0, end - elapsed))
    stays.append(Stay(place: here, steps: first..<plan.steps.count))
  }

  /// Stays until an hour of the day, plus or minus some minutes, for at least 400 s.
  mutating func stay(untilHour hour: Double, giveOrTake minutes: Double) {
    let goal = hour * 3600 + random.normal() * minutes * 60
    stay(seconds: max(400, goal - timeOfDay))
  }

  /// Waits in the street; it counts as a stay only when it takes long.
  mutating func wait(seconds: Double, _ environment: Environment) {
    let place = Place(waitingAt: position, environment)
    let first = plan.steps.count
    addRest(seconds, environment)
    stays.append(Stay(place: place, steps: first..<plan.steps.count))
  }

  private mutating func addRest(_ seconds: Double, _ environment: Environment? = nil) {
    guard seconds > 0 else { return }
    plan.stay(minutes: seconds / 60, environment ?? here.environment)
    elapsed += seconds
  }

  private mutating func addStroll(to target: Vector) {
    let length = position.distance(to: target)
    guard length > 0.01 else { return }
    let place = town.frame.coordinate(at: target)
    plan.travel(Self.stroll, through: [place], here.environment)
    elapsed += SpeedProfile(length: length, mode: Self.stroll).duration
    position = target
  }

  // MARK: Travelling

  /// Travels to a place.
  mutating func go(to place: Place, by transport: Transport) {
    let goal = place.position
    guard position.distance(to: goal) >= 1 else { return }
    switch transport {
    case .bus: rideBus(to: goal)
    case .subway: ride(.subway, to: goal, after: 60...360, .covered)
    case .ferry: ride(.ferry, to: goal, after: 180...900, .open)
    case .car, .van:
      let parking = Town.street(
        at: Vector(x: goal.x + random.uniform(-60...60), y: goal.y))
      travel(Town.streetPath(from: position, to: parking, &random), by: transport)
      travel([position, goal], by: .walk)
    case .walk, .bike: travel(Town.streetPath(from: position, to: goal, &random), by: transport)
    }
    here = place
  }

  private mutating func rideBus(to goal: Vector) {
    let door = Town.street(at: position)
    let stop = Vector(x: door.x + random.sign() * random.uniform(60...300), y: door.y)
    let street = Town.street(at: goal)
    let exit = Vector(x: street.x + random.sign() * random.uniform(60...300), y: street.y)
    travel([position, door, stop], by: .walk)
    wait(seconds: random.uniform(Place.Kind.wait.stay), .suburb)
    travel(Town.streetPath(from: stop, to: exit, &random), by: .bus)
    travel([exit, street, goal], by: .walk)
  }

  /// Walks to a station or a landing, waits so many seconds, and rides straight to another.
  private mutating func ride(
    _ transport: Transport, to goal: Vector, after waits: ClosedRange<Double>,
    _ environment: Environment
  ) {
    let (from, to) = (Town.street(at: position), Town.street(at: goal))
    let station = Vector(x: from.x + random.sign() * random.uniform(200...500), y: from.y)
    let exit = Vector(x: to.x + random.sign() * random.uniform(150...450), y: to.y)
    travel(Town.streetPath(from: position, to: station, &random), by: .walk)
    wait(seconds: random.uniform(waits), environment)
    travel([station, exit], by: transport)
    travel(Town.streetPath(from: exit, to: goal, &random), by: .walk)
  }

  /// Walks round some blocks and returns to the door without a long halt.
  mutating func stroll(around metres: Double) {
    let door = Town.street(at: position)
    let far = Vector(x: door.x + metres, y: door.y)
    let up = 3 * Town.block
    travel(
      [
        position, door, far, Vector(x: far.x, y: far.y + up), Vector(x: door.x, y: door.y + up),
        position,
      ], by: .walk)
  }

  private mutating func travel(_ corners: [Vector], by transport: Transport) {
    let path = Polyline(corners)
    guard path.length >= 1 else { return }
    var from = 0.0
    for leg in transport.legs(of: path.length, &random) {
      let mode = transport.mode(at: leg.speed)
      let places = path.places(from: from, to: from + leg.length, every: Self.stride)
      var waypoints = waypoints(through: places, by: transport)
      if let last = waypoints.indices.last { waypoints[last].halt = leg.halt.rounded(.down) }
      plan.travel(mode, through: waypoints)
      from += leg.length
      elapsed += SpeedProfile(length: leg.length, mode: mode).duration
      elapsed += leg.halt.rounded(.down)
    }
    position = corners.last ?? position
  }

  private func waypoints(through places: [Vector], by transport: Transport) -> [Waypoint] {
    zip(places, places.dropFirst()).map { before, place in
      Waypoint(
        town.frame.coordinate(at: place), environment(at: before.between(place, 0.5), by: transport)
      )
    }
  }

  private func environment(at place: Vector, by transport: Transport) -> Environment {
    switch transport {
    case .subway: .covered
    case .ferry: .open
    case .walk, .bike, .car, .bus, .van: town.environment(at: place)
    }
  }
}

extension Place {
  fileprivate init(waitingAt position: Vector, _ environment: Environment) {
    kind = .wait
    self.position = position
    self.environment = environment
    (wander, dropout) = (0, 0)
  }
}

extension Vector {
  /// A random point around this one, at most 1.8 sigmas away per axis.
  func wandered(_ sigma: Double, _ random: inout SeededGenerator) -> Vector {
    let (east, north) = (random.normal(), random.normal())
    return Vector(
      x: x + min(max(east, -1.8), 1.8) * sigma, y: y + min(max(north, -1.8), 1.8) * sigma)
  }
}
