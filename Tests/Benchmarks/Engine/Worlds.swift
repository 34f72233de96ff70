import Geodesy
import Glibc
import Simulation
import Tracking

/// The worlds in which the engine is measured, by the names of the command line; what the size is
/// stands beside each.
enum World: String, CaseIterable {
  /// Circles of 100 m along a road of 13 km: ten crossings in 1,000 fixes. The size: circles.
  case drive
  /// Circles of 30 to 500 m in a town of 16 km, at 12 m/s: with 1,000 of them a crossing in 21 fixes.
  /// The size: circles.
  case town
  /// Devices in turn on that way, of which the fleet packs all but a few. The size: devices.
  case fleet
  /// Inside of a polygon, 900 m from its edge and more. The size: vertices.
  case inside
  /// Along the edge of a polygon, which the way crosses 40 times in 1,000 fixes. The size: vertices.
  case edge
  /// A minute in one town, a night, a minute in another one, 980 km away. The size: circles, most of
  /// them between the two.
  case leap
  /// Days of four phones of `simulate`, a fix every so many seconds. The size: seconds.
  case phones
  /// The same with the errors of the hard worlds.
  case hard
  /// Days of four devices of another kind of `simulate`. The size: days.
  case silent, collars, boats, network, stale

  func course(_ size: Int) throws -> Course {
    switch self {
    case .drive: try drive(size)
    case .town: try town(size)
    case .fleet: try town(1_000).inTurn(size)
    case .inside: try polygon(size) { 3_000 + 200 * sin($0 * 0.3) }
    case .edge: try polygon(size) { 2_069 + 100 * sin($0 * .pi / 9) }
    case .leap: try leap(size)
    case .phones: try simulated(.phone, .interval(size))
    case .hard: try simulated(.phone, .interval(size), .hard)
    case .silent: try simulated(.dutyCycled, days: size)
    case .collars: try simulated(.collar, days: size)
    case .boats: try simulated(.boat, days: size)
    case .network: try simulated(.network, days: size)
    case .stale: try simulated(.stale, days: size)
    }
  }

  /// The first five circles stand on the way, the others beside it.
  private func drive(_ circles: Int) throws -> Course {
    let circuit = Circuit(radius: 2_069, speed: 13)
    let areas = (0..<circles).map { number in
      Area.circle(
        Circle(
          center: Circuit.middle.destination(
            bearing: Double(number) * 67 + 10,
            distance: number < 5 ? circuit.radius : 2_400 + Double(number)), radius: 100))
    }
    return try Course(areas, tracks: [circuit.fixes], seconds: Double(circuit.length))
  }

  private func town(_ circles: Int) throws -> Course {
    var random = SeededGenerator(seed: 24)
    let frame = LocalFrame(origin: Circuit.middle)
    let areas = (0..<circles).map { _ in
      let place = Vector(
        x: random.uniform(-8_150...8_150), y: random.uniform(-8_150...8_150))
      return Area.circle(
        Circle(center: frame.coordinate(at: place), radius: random.uniform(30...500)))
    }
    let circuit = Circuit(radius: 5_000, speed: 12)
    return try Course(areas, tracks: [circuit.fixes], seconds: Double(circuit.length))
  }

  private func polygon(_ vertices: Int, distance: (Double) -> Double) throws -> Course {
    let circuit = Circuit(radius: 2_069, speed: 13)
    return try Course(
      [try Circuit.ring(vertices, distance: distance)], tracks: [circuit.fixes],
      seconds: Double(circuit.length))
  }

  private func leap(_ circles: Int) throws -> Course {
    var random = SeededGenerator(seed: 25)
    let far = Circuit.middle.destination(bearing: 200, distance: 980_000)
    let areas = (0..<circles).map { _ in
      let share = random.unit()
      let place = Coordinate(
        latitude: Circuit.middle.latitude * (1 - share) + far.latitude * share
          + random.uniform(-1...1),
        longitude: Circuit.middle.longitude * (1 - share) + far.longitude * share
          + random.uniform(-1...1))
      return Area.circle(Circle(center: place, radius: random.uniform(30...500)))
    }
    let night = 40_000.0
    let fixes = [Circuit.middle, far].enumerated().flatMap { number, place in
      (0..<60).map { second in
        Circuit.fix(
          at: Double(number) * night + Double(second),
          place.destination(bearing: 45, distance: Double(second)), speed: 1, course: 45)
      }
    }
    return try Course(areas, tracks: [fixes], seconds: 2 * night)
  }

  private func simulated(
    _ kind: DeviceKind, _ sampling: SamplingRule? = nil, _ noise: NoiseLevel = .normal,
    days: Int = 1
  ) throws -> Course {
    var settings = SimulationSettings()
    settings.seed = 24
    settings.kind = kind
    settings.noise = noise
    settings.days = days
    settings.profiles = [.walker, .bus, .car, .homebody]
    settings.samplings = sampling.map { [$0] } ?? kind.samplings
    let devices = (0..<4).map { SimulatedDevice($0, of: settings) }
    return try Course(
      devices.flatMap(\.circles).map(Area.circle), tracks: devices.map(\.fixes),
      seconds: Double(days) * 86_400)
  }
}
