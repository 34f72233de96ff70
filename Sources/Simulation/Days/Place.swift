import Geodesy

/// A place where people stay.
struct Place: Sendable {
  enum Kind: String, Sendable, Hashable {
    case home, office, shop, supermarket, cafe, restaurant, gym, park, friend, pharmacy, drop
    case depot, school, doctor, sight, mall
    /// A bus stop, a platform or a landing, which has no name.
    case wait
    /// Where a boat lies at anchor.
    case anchorage
    /// Where an animal lies and grazes.
    case patch
  }

  let kind: Kind
  var position: Vector
  /// How far a person wanders about in it, one sigma in metres.
  let wander: Double
  let environment: Environment
  /// Share of the time without reception.
  let dropout: Double

  /// A place in a street near `position`, on one side or the other.
  init(_ kind: Kind, near position: Vector, _ random: inout SeededGenerator) {
    self.kind = kind
    self.position = Vector(
      x: Town.snapped(position.x) + random.uniform(20...100),
      y: Town.snapped(position.y) + random.sign() * random.uniform(14...30))
    wander = kind.wander * random.uniform(0.6...1.4)
    environment = random.choice(of: kind.environments, otherwise: .indoor)
    let draw = random.unit()
    let isClosed = environment == .indoor || environment == .deepIndoor
    dropout = isClosed ? Self.dropout(draw) : 0
  }

  /// Two places in five always have reception, one in twelve hardly ever.
  private static func dropout(_ draw: Double) -> Double {
    switch draw {
    case ..<0.6: 0
    case ..<0.8: 0.15
    case ..<0.92: 0.4
    default: 0.85
    }
  }
}

extension Place.Kind {
  /// How far a person wanders about, one sigma in metres: from the usual size of such places.
  fileprivate var wander: Double {
    switch self {
    case .wait, .anchorage, .patch: 0
    case .cafe: 2
    case .home, .restaurant: 3
    case .friend, .pharmacy, .drop, .school, .doctor: 4
    case .shop: 5
    case .office, .gym: 9
    case .sight: 12
    case .supermarket: 14
    case .depot: 18
    case .park: 22
    case .mall: 32
    }
  }

  fileprivate var environments: [Environment] {
    switch self {
    case .home: [.indoor, .wifi, .wifi, .indoor]
    case .office: [.indoor, .wifi, .deepIndoor, .indoor]
    case .shop: [.indoor, .indoor, .wifi, .outdoor]
    case .supermarket, .gym, .doctor: [.indoor, .deepIndoor]
    case .cafe: [.wifi, .indoor, .outdoor]
    case .restaurant, .friend: [.indoor, .wifi]
    case .park, .school: [.outdoor]
    case .pharmacy: [.indoor]
    case .drop: [.outdoor, .suburb, .indoor]
    case .depot: [.indoor, .outdoor]
    case .sight: [.outdoor, .indoor]
    case .mall: [.deepIndoor, .indoor]
    case .wait: [.suburb]
    case .anchorage, .patch: [.open]
    }
  }

  /// Length of a stay, in seconds.
  var stay: ClosedRange<Double> {
    switch self {
    case .shop: 345...720
    case .supermarket: 800...2000
    case .pharmacy: 200...520
    case .gym: 2400...4500
    case .friend: 3000...8000
    case .school: 150...480
    case .doctor: 1200...3600
    case .park: 600...1800
    case .cafe: 340...760
    case .restaurant: 500...2700
    case .drop: 100...620
    case .depot: 1200...2700
    case .home: 1200...4000
    case .office: 1200...4000
    case .sight: 345...1500
    case .mall: 1800...4500
    case .wait: 30...540
    case .anchorage, .patch: 7_200...72_000
    }
  }

  /// Length of a stay for leisure, in seconds.
  var leisure: ClosedRange<Double> {
    switch self {
    case .cafe: 600...2400
    case .shop: 345...900
    case .restaurant: 2000...4500
    case .park: 900...2400
    default: stay
    }
  }
}
