import Geodesy
import Tracking

/// A true stay.
struct TrueStay: Sendable {
  let kind: Place.Kind
  let environment: Environment
  let dropout: Double
  /// Seconds after the start.
  var arrival: Double
  var departure: Double
  /// The mean of the true positions, metres from the town's origin.
  var centre: Vector

  var duration: Double { departure - arrival }
  /// A stay that lasts this many seconds must be found: 5 minutes, the engine's default, plus a
  /// margin so that no decision depends on the exact limit.
  static let requiredDuration = 330.0
  /// A shorter stay, in seconds, does not count.
  static let leastDuration = 90.0

  /// Whether it is so long that it must be found.
  var isLong: Bool { kind != .wait && duration >= Self.requiredDuration }
}

/// The truth of some days, sampled every second.
struct TrueDays: Sendable {
  let path: TruePath
  let town: Town
  /// Seconds of the days: one true state for each.
  let length: Int
  /// Metres from the town's origin.
  private(set) var positions: [Vector] = []
  private(set) var environments: [Environment] = []
  /// Metres per second east and north.
  private(set) var velocities: [Vector] = []
  private(set) var stays: [TrueStay] = []

  init(_ itinerary: Itinerary, days: Int) {
    town = itinerary.town
    path = TruePath(itinerary.plan)
    length = days * 86_400
    for second in 0..<length {
      guard let state = path.state(at: Double(second)) else { break }
      positions.append(town.frame.vector(to: state.coordinate))
      environments.append(state.environment)
      velocities.append(Vector(speed: state.speed, course: state.course ?? 0))
    }
    stays = itinerary.stays.compactMap(stay).reduce(into: [], Self.merge)
      .filter { $0.duration >= TrueStay.leastDuration }
  }

  init(
    path: TruePath, town: Town, length: Int, positions: [Vector], environments: [Environment],
    velocities: [Vector], stays: [TrueStay]
  ) {
    (self.path, self.town, self.length) = (path, town, length)
    (self.positions, self.environments) = (positions, environments)
    (self.velocities, self.stays) = (velocities, stays)
  }

  private func stay(_ entry: Itinerary.Stay) -> TrueStay? {
    guard entry.steps.lowerBound < path.stepStarts.count else { return nil }
    let arrival = path.stepStarts[entry.steps.lowerBound]
    let next = entry.steps.upperBound
    let end = next < path.stepStarts.count ? path.stepStarts[next] : path.duration
    // A stay until the last midnight may be planned a little too short.
    let departure = end > Double(length) - 1 ? Double(length) : end
    let seconds = Int(arrival.rounded(.up))..<max(Int(arrival.rounded(.up)), Int(departure))
    guard let centre = centre(of: seconds) else { return nil }
    return TrueStay(
      kind: entry.place.kind, environment: entry.place.environment,
      dropout: entry.place.dropout, arrival: arrival, departure: departure, centre: centre)
  }

  private func centre(of seconds: Range<Int>) -> Vector? {
    let part = positions[seconds.clamped(to: positions.indices)]
    guard !part.isEmpty else { return nil }
    let sum = part.reduce(into: Vector(x: 0, y: 0)) { sum, place in
      sum.x += place.x
      sum.y += place.y
    }
    return Vector(x: sum.x / Double(part.count), y: sum.y / Double(part.count))
  }

  /// Merges consecutive stays at one place.
  private static func merge(_ stays: inout [TrueStay], _ next: TrueStay) {
    guard let last = stays.last, next.arrival - last.departure < 1, last.kind != .wait,
      next.kind != .wait, last.centre.distance(to: next.centre) < 40
    else { return stays.append(next) }
    let share = next.duration / max(next.duration + last.duration, 1)
    stays[stays.count - 1].centre = last.centre.between(next.centre, share)
    stays[stays.count - 1].departure = next.departure
  }
}

extension Vector {
  /// - Parameters:
  ///   - speed: Metres per second.
  ///   - course: Degrees clockwise from true north.
  fileprivate init(speed: Double, course: Double) {
    self = Vector(x: 0, y: 0).moved(speed, towards: (90 - course) * .pi / 180)
  }
}
