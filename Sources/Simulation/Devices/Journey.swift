import Geodesy
import Tracking

/// A path without streets, such as a boat's or an animal's: positions at times, and the stays.
struct Journey: Sendable {
  private(set) var points: [(second: Double, position: Vector)]
  private(set) var stays: [TrueStay] = []
  var random: SeededGenerator

  init(from position: Vector, _ random: SeededGenerator) {
    points = [(0, position)]
    self.random = random
  }

  /// The end so far, in seconds after the start.
  var elapsed: Double { points.last?.second ?? 0 }

  /// The position at the end so far.
  var position: Vector { points.last?.position ?? Vector(x: 0, y: 0) }

  /// Goes straight to a position.
  mutating func move(to position: Vector, in seconds: Double) {
    points.append((elapsed + max(seconds, 0.5), position))
  }

  /// Goes to a position at so many metres per second, not quite straight: it strays by a tenth of the
  /// way on either side.
  mutating func travel(to goal: Vector, at speed: Double) {
    let (start, length) = (position, position.distance(to: goal))
    guard length > 1 else { return }
    let legs = max(1, Int(length / 400))
    for leg in 1...legs {
      let straight = start.between(goal, Double(leg) / Double(legs))
      let strays = leg < legs ? 0.1 * min(length, 400) : 0
      let next = Vector(
        x: straight.x + strays * random.normal(), y: straight.y + strays * random.normal())
      move(to: next, in: position.distance(to: next) / (speed * random.uniform(0.8...1.2)))
    }
  }

  /// Notes a stay since a time.
  mutating func endStay(since arrival: Double, _ kind: Place.Kind, around centre: Vector) {
    stays.append(
      TrueStay(
        kind: kind, environment: .open, dropout: 0, arrival: arrival, departure: elapsed,
        centre: centre))
  }
}

extension TrueDays {
  /// The truth of a journey of at least so many days, which begins at `start`.
  init?(_ journey: Journey, start: Timestamp, at origin: Coordinate, days: Int, seed: UInt64) {
    let town = Town(origin: origin, centre: Vector(x: 0, y: 0), seed: seed)
    let length = days * 86_400
    let places = journey.points.map { point in
      (
        time: start.advanced(bySeconds: point.second),
        coordinate: town.frame.coordinate(at: point.position)
      )
    }
    guard let path = TruePath(joining: places) else { return nil }
    var samples = Samples()
    var leg = 0
    for second in 0..<length {
      let time = Double(second)
      while leg + 2 < journey.points.count, journey.points[leg + 1].second <= time { leg += 1 }
      guard leg + 1 < journey.points.count else { break }
      samples.append(at: time, from: journey.points[leg], to: journey.points[leg + 1])
    }
    let end = Double(length)
    let stays = journey.stays.filter { $0.arrival < end }.map { stay in
      var stay = stay
      stay.departure = min(stay.departure, end)
      return stay
    }
    self.init(
      path: path, town: town, length: length, positions: samples.positions,
      environments: [Environment](repeating: .open, count: samples.positions.count),
      velocities: samples.velocities, stays: stays)
  }
}

/// The state at every second of a journey, along its straight legs.
private struct Samples {
  private(set) var positions: [Vector] = []
  private(set) var velocities: [Vector] = []

  mutating func append(
    at time: Double, from: (second: Double, position: Vector),
    to: (second: Double, position: Vector)
  ) {
    let length = to.second - from.second
    let share = min(max((time - from.second) / length, 0), 1)
    positions.append(from.position.between(to.position, share))
    velocities.append(
      Vector(
        x: (to.position.x - from.position.x) / length,
        y: (to.position.y - from.position.y) / length))
  }
}
