import Geodesy
import Services
import Testing
import Tracking

@Suite("significant changes")
struct SignificantChangeTests {
  /// Drives at 10 m/s with a fix a second; the notices by second.
  private func drive(
    _ stand: inout Stand, from: Int, to: Int
  ) -> [(second: Int, words: [String])] {
    (from...to).map { second in
      (second, stand.fix(Double(second), east: Double(second) * 10).words)
    }.filter { !$0.words.isEmpty }
  }

  @Test(
    "5.1 5.2 first the known location, then changes 500 m and 5 min apart",
    arguments: [true, false])
  func rule(isApple: Bool) {
    var stand = Stand(profile: isApple ? .apple : .precise)
    let manager = stand.manager()
    stand.fix(0, east: 0)
    stand.core.startSignificantChanges(manager)
    #expect(stand.core.takeNotices().words == ["significantChange 1"])
    stand.core.startSignificantChanges(manager)
    #expect(stand.core.takeNotices().isEmpty)
    let told = drive(&stand, from: 1, to: 1_800)
    #expect(told.allSatisfy { $0.words == ["significantChange 1"] })
    #expect((4...6).contains(told.count))
    #expect(zip(told, told.dropFirst()).allSatisfy { $1.second - $0.second >= 300 })
  }

  @Test("5.1 without a known location the first fix is the first event; filters do not apply")
  func first() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].distanceFilter = 1e6
    stand.core.startSignificantChanges(manager)
    #expect(stand.fix(0, east: 3).easts == [[3]])
    #expect(stand.fix(1, east: 4).isEmpty)
  }

  @Test("5.1 a stop and a start give a new first event, a second manager its own")
  func restart() {
    var stand = Stand()
    let (one, two) = (stand.manager(), stand.manager())
    stand.core.startSignificantChanges(one)
    stand.fix(0, east: 0)
    stand.core.stopSignificantChanges(one)
    stand.core.startSignificantChanges(one)
    stand.core.startSignificantChanges(two)
    #expect(stand.core.takeNotices().map(\.to) == [one, two])
  }

  @Test("5.5 after a launch far away the change is reported with the first fix")
  func far() {
    var stand = Stand()
    let before = stand.manager()
    stand.core.startSignificantChanges(before)
    for second in 0..<5 { stand.fix(Double(second), east: 0) }
    var next = Stand()
    next.core.resume(stand.core.registrations, nil)
    let manager = next.manager()
    next.core.startSignificantChanges(manager)
    #expect(next.core.takeNotices().easts == [[0]])
    #expect(next.fix(7_200, east: 9_000).easts == [[9_000]])
  }

  @Test("5.5 the registration and its reference location last between launches")
  func kept() {
    var stand = Stand(profile: .apple)
    stand.core.startSignificantChanges(stand.manager())
    for second in 0..<100 { stand.fix(Double(second), east: Double(second) * 2) }
    var next = Stand(profile: .apple)
    next.core.resume(stand.core.registrations, stand.core.checkpoint)
    #expect(next.core.registrations.hasSignificantChanges)
    let manager = next.manager()
    next.core.startSignificantChanges(manager)
    _ = next.core.takeNotices()
    // 500 m from the place told then, not from the last one known.
    #expect(next.fix(400, east: 510).easts == [[510]])
    next.core.stopSignificantChanges(manager)
    #expect(!next.core.registrations.hasSignificantChanges)
  }

  @Test("5.6 12.3 with reduced accuracy: four an hour at most, and each of another cell")
  func reduced() {
    var stand = Stand(Authorization(.always, .reduced))
    let manager = stand.manager()
    stand.core.startSignificantChanges(manager)
    let told = drive(&stand, from: 0, to: 7_200)
    #expect((4...8).contains(told.count))
    #expect(zip(told, told.dropFirst()).allSatisfy { $1.second - $0.second >= 900 })
    let still = (7_201..<20_000).flatMap { stand.fix(Double($0), east: 72_000).words }
    #expect(still.isEmpty)
  }

  @Test("AT-29 in the background withheld, or delivered where allowed")
  func background() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startSignificantChanges(manager)
    stand.fix(0, east: 0)
    stand.core.isInBackground = true
    #expect(drive(&stand, from: 1, to: 900).isEmpty)
    #expect(stand.core.withheld > 0)
    stand.core[settings: manager].allowsBackground = true
    #expect(stand.core.takeNotices().words == ["significantChange 1"])
    #expect(!drive(&stand, from: 901, to: 1_800).isEmpty)
  }
}

@Suite("visits")
struct VisitTests {
  /// Comes at 10 m/s, stays for 25 minutes, goes.
  private func day(_ stand: inout Stand, from: Int = 0) -> [AddressedNotice] {
    (from..<2_400).flatMap { second -> [AddressedNotice] in
      let east =
        switch second {
        case ..<300: Double(second) * 10
        case ..<1_800: 3_000.0 + Double(second % 7)
        default: 3_000 + Double(second - 1_800) * 10
        }
      return stand.fix(Double(second), east: east)
    }
  }

  private func stays(_ notices: [AddressedNotice]) -> [Stay] {
    notices.compactMap { if case .visit(let stay) = $0.notice { stay } else { nil } }
  }

  @Test("6.2 6.4 an arrival without a departure, then both, back-dated")
  func twoReports() throws {
    var stand = Stand()
    _ = stand.manager()
    stand.core.startVisits()
    let stays = stays(day(&stand))
    try #require(stays.count == 2)
    let arrival = try #require(stays[0].arrival)
    #expect(stays[0].departure == nil && stays[1].arrival == arrival)
    let departure = try #require(stays[1].departure)
    #expect(abs(arrival.seconds(since: Stand.time(300))) < 60)
    #expect(abs(departure.seconds(since: Stand.time(1_800))) < 60)
    #expect(stays[1].coordinate.distance(to: Stand.place(east: 3_003)) < 30)
  }

  @Test("6.6 waiting at a traffic light is no visit")
  func trafficLight() {
    var stand = Stand()
    _ = stand.manager()
    stand.core.startVisits()
    let notices = (0..<900).flatMap { second in
      // At 10 m/s, with a minute and a half at the light.
      stand.fix(Double(second), east: 10 * Double(min(second, 300) + max(0, second - 390)))
    }
    #expect(stays(notices).isEmpty)
  }

  @Test("6.1 one switch for all managers, those to come as well; a stop ends it for all")
  func shared() {
    var stand = Stand()
    let one = stand.manager()
    stand.core.startVisits()
    stand.core.remove(one)
    let two = stand.manager()
    #expect(stays(day(&stand)).count == 2)
    stand.core.stopVisits()
    #expect(!stand.core.needsSource)
    _ = two
  }

  @Test("6.3 a visit that began before monitoring has no arrival")
  func noArrival() {
    var stand = Stand()
    _ = stand.manager()
    stand.core.startVisits()
    let stays = stays(day(&stand, from: 600))
    #expect(stays.map { $0.arrival == nil } == [true, true])
  }

  @Test("6.7 12.3 with reduced accuracy the times are exact and the place is coarse")
  func reduced() throws {
    var (exact, coarse) = (Stand(), Stand(Authorization(.always, .reduced)))
    _ = (exact.manager(), coarse.manager())
    exact.core.startVisits()
    coarse.core.startVisits()
    let (a, b) = (stays(day(&exact)), stays(day(&coarse)))
    #expect(a.map(\.arrival) == b.map(\.arrival) && a.map(\.departure) == b.map(\.departure))
    #expect(b.count == 2 && b.allSatisfy { $0.horizontalAccuracy == Coarsener.radius })
    #expect(b[0].coordinate == Coarsener.cell(of: Stand.place(east: 3_000)))
  }
}

@Suite("reduced accuracy")
struct ReducedAccuracyTests {
  @Test("12.1 12.2 snapped to the centre of a cell, one in 15 minutes")
  func snapped() {
    var stand = Stand(Authorization(.always, .reduced))
    let manager = stand.manager()
    stand.core.startUpdating(manager)
    var reports: [Location] = []
    for second in 0...3_600 {
      for addressed in stand.fix(Double(second), east: Double(second % 100)) {
        if case .locations(let told, .standard) = addressed.notice { reports += told }
      }
    }
    let cell = Coarsener.cell(of: Stand.origin)
    #expect(reports.allSatisfy { $0.fix.coordinate == cell })
    // The device rests, so that after 15 minutes a manager is paused.
    #expect(reports.map(\.fix.time) == [Stand.time(0), Stand.time(900)])
    #expect(reports.allSatisfy { $0.cellRadius == Coarsener.radius })
    #expect(stand.core.lastLocation?.fix.coordinate == cell)
    #expect(stand.core.history(count: 10).allSatisfy { $0.fix.coordinate == cell })
  }

  @Test("12.1 a cell holds its places, everywhere on Earth", arguments: 1...20)
  func cells(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / 9_007_199_254_740_992
    }
    for _ in 0..<500 {
      let place = Coordinate(latitude: random() * 180 - 90, longitude: random() * 360 - 180)
      let cell = Coarsener.cell(of: place)
      #expect(cell.isValid && Coarsener.cell(of: cell) == cell, "seed \(seed): \(place)")
      #expect(cell.distance(to: place) <= Coarsener.radius, "seed \(seed): \(place)")
    }
  }

  @Test("12.4 a request for reduced accuracy gets it, even if full accuracy is allowed")
  func asked() {
    var stand = Stand()
    let (coarse, exact) = (stand.manager(), stand.manager())
    stand.core[settings: coarse].desiredAccuracy = UpdateSettings.reducedAccuracy
    stand.core.startUpdating(coarse)
    stand.core.startUpdating(exact)
    var places: [ClientID: Set<Coordinate>] = [:]
    for second in 0..<100 {
      for addressed in stand.fix(Double(second), east: Double(second)) {
        if case .locations(let told, _) = addressed.notice {
          places[addressed.to, default: []].formUnion(told.map(\.fix.coordinate))
        }
      }
    }
    #expect(places[coarse] == [Coarsener.cell(of: Stand.origin)] && places[exact]?.count == 100)
  }
}
