import Geodesy

/// A person's way of life.
package enum LifeProfile: String, Sendable, Hashable, CaseIterable {
  /// Commutes to an office on foot, by bus, car, bike, subway or ferry, goes to lunch, and runs
  /// errands after work.
  case walker, bus, car, bike, subway, ferry
  /// Delivers parcels to 12 to 25 doors a day with a van from a depot.
  case delivery
  /// Walks from sight to sight, with cafés and shops between them.
  case tourist
  /// Goes out once or twice a day, or not at all.
  case homebody

  /// All profiles; those that drive and ride occur twice as often, as in a town.
  package static let mixed: [LifeProfile] = [
    .bus, .car, .walker, .bike, .delivery, .tourist, .subway, .homebody, .car, .bus, .ferry,
    .delivery,
  ]

  /// Metres from home to work; without work, to the middle of the town.
  fileprivate var distance: ClosedRange<Double> {
    switch self {
    case .walker: 900...2200
    case .bus: 3000...9000
    case .car: 5000...22000
    case .bike: 2500...7000
    case .subway: 6000...12000
    case .ferry: 5000...9000
    case .delivery: 3000...9000
    case .tourist: 500...2500
    case .homebody: 800...2500
    }
  }

  /// The way to work.
  fileprivate var commute: Transport {
    switch self {
    case .walker, .tourist, .homebody: .walk
    case .bus: .bus
    case .car, .delivery: .car
    case .bike: .bike
    case .subway: .subway
    case .ferry: .ferry
    }
  }
}

/// A person with a home, a place of work and places they return to.
struct SimulatedPerson {
  private let profile: LifeProfile
  private let home: Place
  private let work: Place
  private var itinerary: Itinerary
  private var familiar: [HabitKey: Place] = [:]

  private struct HabitKey: Hashable {
    let kind: Place.Kind
    let near: Place.Kind
  }

  /// The longest walk to an errand, metres.
  private static let farToWalk = 1800.0

  init(_ profile: LifeProfile, plan start: Plan, seed: UInt64) {
    self.profile = profile
    var random = SeededGenerator(seed: seed, purpose: Purpose.days)
    home = Place(.home, near: Vector(x: 0, y: 0), &random)
    let far = Vector(x: 0, y: 0).moved(
      random.uniform(profile.distance), towards: random.uniform(0...(2 * .pi)))
    work = Place(profile == .delivery ? .depot : .office, near: far, &random)
    let town = Town(origin: start.origin, centre: far, seed: random.next())
    let plan = Plan(start: start.start, at: town.frame.coordinate(at: home.position))
    itinerary = Itinerary(plan, in: town, at: home, random)
  }

  /// Simulates so many days, to the last midnight at least.
  mutating func simulate(days: Int) -> Itinerary {
    for _ in 0..<days { simulateDay() }
    let end = Double(days) * 86_400
    if itinerary.elapsed < end { itinerary.stay(seconds: end - itinerary.elapsed) }
    return itinerary
  }

  private mutating func simulateDay() {
    switch profile {
    case .walker, .bus, .car, .bike, .subway, .ferry: workDay()
    case .delivery: deliveryDay()
    case .tourist: dayOfSights()
    case .homebody: dayAtHome()
    }
  }

  // MARK: Days

  private mutating func workDay() {
    itinerary.stay(untilHour: 7.6, giveOrTake: 25)
    if itinerary.random.happens(0.3) {
      visit(place(.cafe, near: home, 150...700), by: .walk)
    }
    itinerary.go(to: work, by: profile.commute)
    itinerary.stay(untilHour: 12.1, giveOrTake: 15)
    if itinerary.random.happens(0.65) { lunch() }
    itinerary.stay(untilHour: 17, giveOrTake: 35)
    for _ in 0..<itinerary.random.whole(0...3) { errand() }
    itinerary.go(to: home, by: transport(to: home))
    if itinerary.random.happens(0.35), itinerary.timeOfDay > 12 * 3600,
      itinerary.timeOfDay < 21.5 * 3600
    {
      itinerary.stay(seconds: itinerary.random.uniform(Place.Kind.home.stay))
      itinerary.stroll(around: itinerary.random.uniform(250...600))
    }
    stayTillMidnight()
  }

  private mutating func lunch() {
    let kind = itinerary.random.choice(of: [.restaurant, .cafe], otherwise: Place.Kind.cafe)
    let meal = place(kind, near: work, 120...600)
    itinerary.go(to: meal, by: .walk)
    itinerary.stay(seconds: itinerary.random.uniform(Place.Kind.restaurant.stay))
    if itinerary.random.happens(0.3) { visit(place(.shop, near: work, 90...400), by: .walk) }
    itinerary.go(to: work, by: .walk)
  }

  private mutating func errand() {
    let kinds: [Place.Kind] = [
      .shop, .supermarket, .pharmacy, .gym, .friend, .school, .doctor, .shop,
    ]
    let kind = itinerary.random.choice(of: kinds, otherwise: .shop)
    let base = itinerary.random.happens(0.6) ? home : work
    let goal = place(kind, near: base, 150...(profile == .car ? 4000 : 1200))
    visit(goal, by: transport(to: goal))
    guard kind == .shop, itinerary.random.happens(0.35) else { return }
    // A second shop beside it.
    var next = Place(.shop, near: goal.position, &itinerary.random)
    next.position.x = goal.position.x + itinerary.random.sign() * itinerary.random.uniform(75...160)
    next.position.y = goal.position.y
    visit(next, by: .walk)
  }

  private mutating func deliveryDay() {
    itinerary.stay(untilHour: 7, giveOrTake: 20)
    visit(work, by: .car)
    let angle = itinerary.random.uniform(0...(2 * .pi))
    var area = work.position.moved(3500, towards: angle)
    let drops = itinerary.random.whole(12...25)
    for index in 0..<drops {
      let offset = (itinerary.random.uniform(-900...900), itinerary.random.uniform(-900...900))
      let door = Vector(x: area.x + offset.0, y: area.y + offset.1)
      visit(Place(.drop, near: door, &itinerary.random), by: .van)
      area.x += itinerary.random.uniform(-500...500)
      area.y += itinerary.random.uniform(-500...500)
      guard index == Int(Double(drops) * 0.55) else { continue }
      itinerary.go(to: place(.cafe, near: itinerary.here, 200...900), by: .van)
      itinerary.stay(seconds: itinerary.random.uniform(1200...2600))
    }
    visit(work, by: .van)
    itinerary.go(to: home, by: .car)
    stayTillMidnight()
  }

  private mutating func dayOfSights() {
    itinerary.stay(untilHour: 9.2, giveOrTake: 30)
    let kinds: [Place.Kind] = [.sight, .sight, .cafe, .shop, .restaurant, .park, .mall]
    for _ in 0..<itinerary.random.whole(6...12) {
      let kind = itinerary.random.choice(of: kinds, otherwise: .sight)
      itinerary.go(to: otherPlace(kind), by: .walk)
      itinerary.stay(seconds: itinerary.random.uniform(kind.leisure))
    }
    itinerary.go(to: home, by: .walk)
    stayTillMidnight()
  }

  private mutating func dayAtHome() {
    itinerary.stay(untilHour: 11, giveOrTake: 90)
    if itinerary.random.happens(0.8) {
      let kinds: [Place.Kind] = [.supermarket, .shop, .park, .doctor]
      let kind = itinerary.random.choice(of: kinds, otherwise: .park)
      visit(place(kind, near: home, 250...1500), by: .walk)
      itinerary.go(to: home, by: .walk)
    }
    itinerary.stay(untilHour: 17, giveOrTake: 60)
    if itinerary.random.happens(0.4) {
      visit(place(.park, near: home, 200...700), by: .walk)
      itinerary.go(to: home, by: .walk)
    }
    stayTillMidnight()
  }

  // MARK: Travelling

  private mutating func visit(_ place: Place, by transport: Transport) {
    itinerary.go(to: place, by: transport)
    itinerary.stay(seconds: itinerary.random.uniform(place.kind.stay))
  }

  private func transport(to place: Place) -> Transport {
    let isFar = itinerary.here.position.distance(to: place.position) > Self.farToWalk
    return isFar ? profile.commute : profile == .car ? .car : .walk
  }

  /// A place of this kind within a short walk, other than the current one.
  private mutating func otherPlace(_ kind: Place.Kind) -> Place {
    let here = itinerary.here
    let familiar = place(kind, near: here, 140...650)
    guard familiar.position.distance(to: here.position) < 1 else { return familiar }
    let angle = itinerary.random.uniform(0...(2 * .pi))
    let spot = here.position.moved(itinerary.random.uniform(180...640), towards: angle)
    return Place(kind, near: spot, &itinerary.random)
  }

  /// A place of this kind; a familiar one with probability 0.6.
  private mutating func place(
    _ kind: Place.Kind, near other: Place, _ distance: ClosedRange<Double>
  ) -> Place {
    let key = HabitKey(kind: kind, near: other.kind)
    if let place = familiar[key], itinerary.random.happens(0.6) { return place }
    let angle = itinerary.random.uniform(0...(2 * .pi))
    let spot = other.position.moved(itinerary.random.uniform(distance), towards: angle)
    let place = Place(kind, near: spot, &itinerary.random)
    familiar[key] = place
    return place
  }

  /// A day that ends after midnight delays the next one.
  private mutating func stayTillMidnight() {
    let evening = 86_400 - itinerary.timeOfDay
    if itinerary.timeOfDay > 12 * 3600 { itinerary.stay(seconds: evening) }
  }
}
