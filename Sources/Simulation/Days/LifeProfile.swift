import Geodesy

/// What the days of a person are like.
package enum LifeProfile: String, Sendable, Hashable, CaseIterable {
  /// Goes to an office on foot, by bus, car, bike, subway or ferry, to lunch, and on errands after
  /// work.
  case walker, bus, car, bike, subway, ferry
  /// Brings parcels to 12 to 25 doors a day with a van from a depot.
  case delivery
  /// Walks from sight to sight, with cafés and shops between them.
  case tourist
  /// Goes out once or twice, if at all.
  case homebody

  /// All, with twice as many of those who drive and ride, as in a town.
  package static let mixed: [LifeProfile] = [
    .bus, .car, .walker, .bike, .delivery, .tourist, .subway, .homebody, .car, .bus, .ferry,
    .delivery,
  ]

  /// Metres from home to work; for who has none, to the middle of the town.
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

  /// How one goes to work.
  fileprivate var commute: Traffic {
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

/// Someone with a home, a work and places that they come back to.
struct Person {
  private let profile: LifeProfile
  private let home: Place
  private let work: Place
  private var diary: Diary
  private var known: [Haunt: Place] = [:]

  private struct Haunt: Hashable {
    let kind: Place.Kind
    let near: Place.Kind
  }

  /// Beyond this many metres one does not walk to an errand.
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
    diary = Diary(plan, in: town, at: home, random)
  }

  /// Lives so many days, to the last midnight at least.
  mutating func live(days: Int) -> Diary {
    for _ in 0..<days { liveDay() }
    let end = Double(days) * 86_400
    if diary.elapsed < end { diary.stay(seconds: end - diary.elapsed) }
    return diary
  }

  private mutating func liveDay() {
    switch profile {
    case .walker, .bus, .car, .bike, .subway, .ferry: workDay()
    case .delivery: deliveryDay()
    case .tourist: dayOfSights()
    case .homebody: dayAtHome()
    }
  }

  // MARK: Days

  private mutating func workDay() {
    diary.stay(untilHour: 7.6, giveOrTake: 25)
    if diary.random.happens(0.3) {
      visit(place(.cafe, near: home, 150...700), by: .walk)
    }
    diary.go(to: work, by: profile.commute)
    diary.stay(untilHour: 12.1, giveOrTake: 15)
    if diary.random.happens(0.65) { lunch() }
    diary.stay(untilHour: 17, giveOrTake: 35)
    for _ in 0..<diary.random.whole(0...3) { errand() }
    diary.go(to: home, by: traffic(to: home))
    if diary.random.happens(0.35), diary.timeOfDay > 12 * 3600, diary.timeOfDay < 21.5 * 3600 {
      diary.stay(seconds: diary.random.uniform(Place.Kind.home.stay))
      diary.stroll(around: diary.random.uniform(250...600))
    }
    stayTillMidnight()
  }

  private mutating func lunch() {
    let kind = diary.random.choice(of: [.restaurant, .cafe], otherwise: Place.Kind.cafe)
    let meal = place(kind, near: work, 120...600)
    diary.go(to: meal, by: .walk)
    diary.stay(seconds: diary.random.uniform(Place.Kind.restaurant.stay))
    if diary.random.happens(0.3) { visit(place(.shop, near: work, 90...400), by: .walk) }
    diary.go(to: work, by: .walk)
  }

  private mutating func errand() {
    let kinds: [Place.Kind] = [
      .shop, .supermarket, .pharmacy, .gym, .friend, .school, .doctor, .shop,
    ]
    let kind = diary.random.choice(of: kinds, otherwise: .shop)
    let base = diary.random.happens(0.6) ? home : work
    let goal = place(kind, near: base, 150...(profile == .car ? 4000 : 1200))
    visit(goal, by: traffic(to: goal))
    guard kind == .shop, diary.random.happens(0.35) else { return }
    // A second shop beside it.
    var next = Place(.shop, near: goal.position, &diary.random)
    next.position.x = goal.position.x + diary.random.sign() * diary.random.uniform(75...160)
    next.position.y = goal.position.y
    visit(next, by: .walk)
  }

  private mutating func deliveryDay() {
    diary.stay(untilHour: 7, giveOrTake: 20)
    visit(work, by: .car)
    let angle = diary.random.uniform(0...(2 * .pi))
    var area = work.position.moved(3500, towards: angle)
    let drops = diary.random.whole(12...25)
    for index in 0..<drops {
      let offset = (diary.random.uniform(-900...900), diary.random.uniform(-900...900))
      let door = Vector(x: area.x + offset.0, y: area.y + offset.1)
      visit(Place(.drop, near: door, &diary.random), by: .van)
      area.x += diary.random.uniform(-500...500)
      area.y += diary.random.uniform(-500...500)
      guard index == Int(Double(drops) * 0.55) else { continue }
      diary.go(to: place(.cafe, near: diary.here, 200...900), by: .van)
      diary.stay(seconds: diary.random.uniform(1200...2600))
    }
    visit(work, by: .van)
    diary.go(to: home, by: .car)
    stayTillMidnight()
  }

  private mutating func dayOfSights() {
    diary.stay(untilHour: 9.2, giveOrTake: 30)
    let kinds: [Place.Kind] = [.sight, .sight, .cafe, .shop, .restaurant, .park, .mall]
    for _ in 0..<diary.random.whole(6...12) {
      let kind = diary.random.choice(of: kinds, otherwise: .sight)
      diary.go(to: otherPlace(kind), by: .walk)
      diary.stay(seconds: diary.random.uniform(kind.leisure))
    }
    diary.go(to: home, by: .walk)
    stayTillMidnight()
  }

  private mutating func dayAtHome() {
    diary.stay(untilHour: 11, giveOrTake: 90)
    if diary.random.happens(0.8) {
      let kinds: [Place.Kind] = [.supermarket, .shop, .park, .doctor]
      let kind = diary.random.choice(of: kinds, otherwise: .park)
      visit(place(kind, near: home, 250...1500), by: .walk)
      diary.go(to: home, by: .walk)
    }
    diary.stay(untilHour: 17, giveOrTake: 60)
    if diary.random.happens(0.4) {
      visit(place(.park, near: home, 200...700), by: .walk)
      diary.go(to: home, by: .walk)
    }
    stayTillMidnight()
  }

  // MARK: Ways

  private mutating func visit(_ place: Place, by traffic: Traffic) {
    diary.go(to: place, by: traffic)
    diary.stay(seconds: diary.random.uniform(place.kind.stay))
  }

  private func traffic(to place: Place) -> Traffic {
    let isFar = diary.here.position.distance(to: place.position) > Self.farToWalk
    return isFar ? profile.commute : profile == .car ? .car : .walk
  }

  /// A place of this kind within a short walk that is not the one where one is.
  private mutating func otherPlace(_ kind: Place.Kind) -> Place {
    let here = diary.here
    let known = place(kind, near: here, 140...650)
    guard known.position.distance(to: here.position) < 1 else { return known }
    let angle = diary.random.uniform(0...(2 * .pi))
    let spot = here.position.moved(diary.random.uniform(180...640), towards: angle)
    return Place(kind, near: spot, &diary.random)
  }

  /// A place of this kind: one that is known in three cases of five.
  private mutating func place(
    _ kind: Place.Kind, near other: Place, _ distance: ClosedRange<Double>
  ) -> Place {
    let haunt = Haunt(kind: kind, near: other.kind)
    if let place = known[haunt], diary.random.happens(0.6) { return place }
    let angle = diary.random.uniform(0...(2 * .pi))
    let spot = other.position.moved(diary.random.uniform(distance), towards: angle)
    let place = Place(kind, near: spot, &diary.random)
    known[haunt] = place
    return place
  }

  /// A day that is over goes on in the next: who works late is late.
  private mutating func stayTillMidnight() {
    let evening = 86_400 - diary.timeOfDay
    if diary.timeOfDay > 12 * 3600 { diary.stay(seconds: evening) }
  }
}
