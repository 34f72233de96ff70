import Geodesy

/// Places fences around the stays and paths of some days.
struct FencePlacement: Sendable {
  /// Why a fence is where it is.
  package enum Reason: String, Sendable {
    /// Around a stay.
    case place
    /// Its edge is near a stay.
    case edge
    /// On a path.
    case pass
    /// Beside a path.
    case nearMiss = "nearmiss"
  }

  /// A fence in the town.
  struct SimulatedFence: Sendable {
    let id: String
    let centre: Vector
    /// Metres.
    let radius: Double
    let reason: Reason
  }

  /// The radii of fences, metres, and the speed from which a device is on its way, metres per second.
  private struct Sizes {
    var place = [50.0, 75, 100, 150, 200, 300]
    var edge = [100.0, 150, 200, 300, 500]
    var pass = [30.0, 50, 100, 200, 500]
    var nearMiss = [50.0, 100, 200]
    var moving = 0.8

    init(_ kind: DeviceKind) {
      switch kind {
      case .phone, .dutyCycled, .stale: break
      case .boat: (pass, nearMiss) = ([100, 200, 500], [100, 200])
      case .network, .collar:
        (place, edge) = ([300, 400, 500, 800], [300, 500, 800])
        (pass, nearMiss) = ([300, 500, 800], [300, 500])
        if kind == .collar { moving = 0.25 }
      }
    }
  }

  private let sizes: Sizes
  private var random: SeededGenerator
  private(set) var fences: [SimulatedFence] = []

  /// - Parameter anchorages: Of a boat, which has an alarm circle around each.
  init(
    on days: TrueDays, kind: DeviceKind = .phone, anchorages: [BoatLife.Anchorage] = [],
    seed: UInt64
  ) {
    random = SeededGenerator(seed: seed, purpose: Purpose.fences)
    sizes = Sizes(kind)
    if kind == .boat {
      watch(anchorages)
    } else {
      let places = Self.places(days.stays)
      surround(places)
      cutClose(places)
    }
    let moving = days.velocities.indices.filter { days.velocities[$0].length > sizes.moving }
    guard !moving.isEmpty else { return }
    for _ in 0..<3 { addPass(days.positions[random.choice(of: moving, otherwise: 0)]) }
    for _ in 0..<2 { addNearMiss(days.positions[random.choice(of: moving, otherwise: 0)]) }
  }

  /// The positions of the stays, the longest first, without repetitions.
  private static func places(_ stays: [TrueStay]) -> [Vector] {
    stays.filter(\.isLong).sorted { $0.duration > $1.duration }.reduce(into: []) { places, stay in
      guard places.allSatisfy({ $0.distance(to: stay.centre) > 60 }) else { return }
      places.append(stay.centre)
    }
  }

  /// Puts fences around the two longest stays and up to five of the others.
  private mutating func surround(_ places: [Vector]) {
    let others = random.shuffled(Array(places.dropFirst(2))).prefix(5)
    for place in places.prefix(2) + others {
      let centre = place.moved(random.uniform(0...20), towards: angle())
      add(centre, sizes.place, .place)
    }
  }

  /// Puts an anchor alarm around every anchor: its chain and 15 to 40 m more.
  private mutating func watch(_ anchorages: [BoatLife.Anchorage]) {
    for anchorage in anchorages {
      let centre = anchorage.anchor.moved(random.uniform(0...3), towards: angle())
      let radius = (anchorage.chain + random.uniform(15...40)).rounded()
      add(centre, [radius], .place)
    }
  }

  /// Puts the edge 10 to 35 m from a stay, so that the stay is just inside or just outside.
  private mutating func cutClose(_ places: [Vector]) {
    for place in places.prefix(3) {
      let radius = random.choice(of: sizes.edge, otherwise: 100)
      let margin = random.sign() * random.uniform(10...35)
      add(place.moved(radius + margin, towards: angle()), [radius], .edge)
    }
  }

  private mutating func addPass(_ place: Vector) {
    let radius = random.choice(of: sizes.pass, otherwise: 100)
    let offset = random.uniform(0...0.5) * radius
    add(place.moved(offset, towards: angle()), [radius], .pass)
  }

  private mutating func addNearMiss(_ place: Vector) {
    let radius = random.choice(of: sizes.nearMiss, otherwise: 100)
    let offset = radius + random.uniform(25...60)
    add(place.moved(offset, towards: angle()), [radius], .nearMiss)
  }

  private mutating func angle() -> Double { random.uniform(0...(2 * .pi)) }

  private mutating func add(_ centre: Vector, _ radii: [Double], _ reason: Reason) {
    let number = fences.count
    let id = "f" + (number < 10 ? "0" : "") + String(number)
    let radius = random.choice(of: radii, otherwise: 100)
    fences.append(SimulatedFence(id: id, centre: centre, radius: radius, reason: reason))
  }
}
