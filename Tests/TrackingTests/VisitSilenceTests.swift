import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// Stays of devices that report only while they move, and of fixes that claim little.
@Suite("Visits: silences and coarse fixes")
struct VisitSilenceTests {
  private let ground = Ground()
  private static let hour = 3_600.0

  private func visits(_ fixes: [Fix]) -> [(event: Event, visit: Visit)] {
    var rules = Rules()
    rules.visits = VisitRules()
    rules.memory = 30 * 86_400
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return events.compactMap { event in
      if case .visit(let visit) = event.statement { (event, visit) } else { nil }
    }
  }

  /// A way east on foot or by car, from a place: a fix every so many seconds.
  private func way(
    from east: Double, at speed: Double, start: Double, fixes count: Int, every step: Double,
    accuracy: Double, north: Double = 0
  ) -> [Fix] {
    (0..<count).map {
      let time = Double($0) * step
      return ground.fix(start + time, east + speed * time, north, accuracy: accuracy)
    }
  }

  private func rest(
    from start: Double, to end: Double, every step: Double, east: Double = 0, accuracy: Double,
    error: Double = 2, seed: UInt64 = 1
  ) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    return stride(from: start, to: end, by: step).map {
      ground.fix(
        $0, east + error * random.normal(), error * random.normal(), accuracy: accuracy)
    }
  }

  private func seconds(_ time: Timestamp) -> Double { time.seconds(since: Ground.time(0)) }

  // MARK: Silences

  /// Of its first four fixes nobody can tell how it reports; of those on the way away anyone can.
  @Test("a silence is judged by the rhythm that is known when its visit is reported")
  func laterRhythm() throws {
    let left = 4_000.0
    var fixes = rest(from: 0, to: 4, every: 1, accuracy: 65)
    fixes += way(from: 200, at: 1.3, start: left + 200, fixes: 80, every: 6, accuracy: 65)
    let found = visits(fixes)
    let visit = try #require(found.last?.visit)
    let departure = seconds(try #require(visit.departure))
    let sigma = try #require(visit.departureUncertainty)
    #expect(found.count == 1)
    #expect(abs(departure - left) < 120 && sigma > 30 && sigma < 300, "\(departure) ± \(sigma) s")
  }

  @Test("one fix that nothing led up to, and a silence after it, are no stay")
  func oneFix() {
    let fixes =
      [ground.fix(0, 0, accuracy: 10)]
      + way(from: 290, at: 8, start: 5 * Self.hour, fixes: 100, every: 6, accuracy: 20)
    #expect(visits(fixes).isEmpty)
  }

  @Test("the last fix of a way, and a silence after it, are one")
  func lastOfAWay() throws {
    let arrived = 600.0
    let fixes =
      way(from: -6_000, at: 10, start: 0, fixes: 61, every: 10, accuracy: 10)
      + way(from: 250, at: 10, start: arrived + 4 * Self.hour, fixes: 60, every: 10, accuracy: 10)
    let visit = try #require(visits(fixes).last?.visit)
    #expect(abs(seconds(visit.arrival) - arrived) < 60)
    // Without a speed it may have walked the 250 m.
    let departure = seconds(try #require(visit.departure))
    let sigma = try #require(visit.departureUncertainty)
    #expect(abs(departure - arrived - 4 * Self.hour) < 2.1 * sigma && sigma < 300)
  }

  /// A phone that reports each significant change only: it goes on after its last fix, by up to as much
  /// as its fixes are apart.
  @Test("the place of a stay that only a silence shows is as uncertain as fixes are far apart")
  func placeBetweenFixes() throws {
    let step = 500.0
    var within = 0
    let stays = 50
    for number in 0..<stays {
      let beyond = step * (Double(number) + 0.5) / Double(stays)
      let arrived = 400.0 + beyond / 12
      let fixes =
        way(from: -6_000, at: 12, start: -100, fixes: 13, every: step / 12, accuracy: 10)
        + way(
          from: beyond + step, at: 12, start: arrived + 4 * Self.hour, fixes: 12,
          every: step / 12, accuracy: 10)
      let event = try #require(visits(fixes).last?.event)
      let found = event.coordinate
      let accuracy = try #require(event.horizontalAccuracy)
      let place = ground.fix(0, beyond, accuracy: 1).coordinate
      if found.distance(to: place) <= accuracy { within += 1 }
      #expect(accuracy < step)
    }
    // 68 of 100 are meant.
    #expect((30...38).contains(within), "\(within) of \(stays)")
  }

  @Test("seen at rest before the silence, it is as exact as its fix")
  func placeOfFixesAtRest() throws {
    var fixes = way(from: -6_000, at: 12, start: 0, fixes: 13, every: 500 / 12, accuracy: 10)
    fixes += rest(from: 540, to: 620, every: 20, accuracy: 10)
    fixes += way(
      from: 500, at: 12, start: 4 * Self.hour, fixes: 12, every: 500 / 12, accuracy: 10)
    let event = try #require(visits(fixes).last?.event)
    #expect(try #require(event.horizontalAccuracy) < 20)
  }

  /// In a tunnel: the phone repeats positions of cells that claim a kilometre, far from the platform.
  @Test("coarse fixes elsewhere say that a silence hides no stay", arguments: [true, false])
  func contradicted(hasCoarse: Bool) {
    var fixes = way(from: -6_000, at: 10, start: 0, fixes: 60, every: 10, accuracy: 10)
    fixes += rest(from: 600, to: 660, every: 20, accuracy: 10)
    if hasCoarse {
      fixes += (0..<40).map { ground.fix(720 + 60 * Double($0), 5_000, accuracy: 1_000) }
    }
    fixes += way(from: 900, at: 10, start: 3_600, fixes: 60, every: 10, accuracy: 10)
    #expect(visits(fixes).isEmpty == hasCoarse)
  }

  /// A phone that reports once it has moved by a distance: its first fix after a stay lies within the radius
  /// of the place, or just beyond.
  @Test(
    "a device that reports each so many metres has its stay, whatever the distance",
    arguments: [30.0, 36, 40, 42, 46, 60, 100], [1.4, 5])
  func distanceFilter(step: Double, speed: Double) throws {
    let arrived = 2_000 / speed
    let fixes =
      way(
        from: -2_000, at: speed, start: 0, fixes: Int(2_000 / step), every: step / speed,
        accuracy: 5)
      + [ground.fix(arrived, 0, accuracy: 5)]
      + way(
        from: step, at: speed, start: arrived + 2 * Self.hour, fixes: 60, every: step / speed,
        accuracy: 5)
    let found = visits(fixes).filter { $0.visit.departure != nil && !$0.visit.isRetracted }
    let visit = try #require(found.first?.visit)
    #expect(found.count == 1)
    #expect(abs(seconds(visit.arrival) - arrived) < 120)
    let departure = seconds(try #require(visit.departure))
    #expect(abs(departure - arrived - 2 * Self.hour) < 120, "\(departure)")
  }

  @Test("one fix shortly after the arrival does not end the silence that follows it")
  func oneFixAfterTheArrival() throws {
    let arrived = 400.0
    var fixes = way(from: -4_000, at: 10, start: 0, fixes: 200, every: 2, accuracy: 8)
    fixes += [ground.fix(arrived, 0, accuracy: 8), ground.fix(arrived + 86, 21, accuracy: 8)]
    fixes += way(
      from: 24, at: 10, start: arrived + 2 * Self.hour, fixes: 200, every: 2, accuracy: 8)
    let visit = try #require(visits(fixes).last { $0.visit.departure != nil }?.visit)
    #expect(!visit.isRetracted)
    #expect(abs(seconds(try #require(visit.departure)) - arrived - 2 * Self.hour) < 120)
  }

  /// A trailer that reports every hour or two, 20 km away after each.
  @Test(
    "arrivals and departures of sparse fixes claim what their gaps leave open",
    arguments: [0.5, 1, 2])
  func sparseTrailer(hours: Double) throws {
    var random = SeededGenerator(seed: 7)
    let step = hours * Self.hour + 1
    var (within, count) = (0, 0)
    for _ in 0..<40 {
      let left = 86_400 + Double.random(in: 0..<step, using: &random)
      let arrived = left + 20_000 / 14
      let fixes = stride(from: 0.0, to: 3 * 86_400, by: step).map { time in
        ground.fix(
          time, min(max(0, time - left) * 14, 20_000) + 3 * random.normal(), 3 * random.normal(),
          accuracy: 8)
      }
      let found = visits(fixes)
      let departure = try #require(found.first { $0.visit.departure != nil }?.visit)
      let arrival = try #require(found.last?.visit)
      for (time, sigma, truth) in [
        (try #require(departure.departure), departure.departureUncertainty, left),
        (arrival.arrival, arrival.arrivalUncertainty, arrived),
      ] {
        count += 1
        within += abs(seconds(time) - truth) < 2 * (try #require(sigma)) ? 1 : 0
        #expect(abs(seconds(time) - truth) < 4 * (try #require(sigma)))
      }
    }
    #expect(within * 100 >= 70 * count, "\(within) of \(count), seed 7")
  }

  @Test("a way from rest begins on foot, and is as fast as it is at its end")
  func waysFromRest() {
    #expect(abs(Rhythm.way(fromRest: 200, speed: 0) - 200) < 1)
    #expect(abs(Rhythm.way(fromRest: 2_350, speed: 0) - 350 - 2_000 / 6) < 1)
    #expect(Rhythm.way(fromRest: 200, speed: 10) < 40)
    #expect(abs(Rhythm.ridingSpeed(over: 20_000) - 7.92) < 0.01)
    #expect(Rhythm.ridingSpeed(over: 1e7) == 30 && Rhythm.ridingSpeed(over: 9_000) == 6)
    for distance in stride(from: 0.0, through: 5_000, by: 50) {
      #expect(
        Rhythm.way(fromRest: distance, speed: 0) <= Rhythm.way(fromRest: distance + 50, speed: 0))
    }
  }

  // MARK: The rhythm

  @Test(
    "how a device reports on the move is learnt from coarse fixes, and from many a second",
    arguments: [(6.0, 65.0, 1.4), (1, 5, 1.4), (30, 20, 1.4), (6, 65, 10)])
  func rhythm(step: Double, accuracy: Double, speed: Double) {
    var rhythm = Rhythm()
    let fixes = way(
      from: 0, at: speed, start: 0, fixes: Int(600 / step), every: step, accuracy: accuracy)
    for (previous, fix) in zip(fixes, fixes.dropFirst()) {
      rhythm.learn(from: previous, to: fix, elapsed: step)
    }
    #expect(rhythm.wouldReport(within: 9 * step) && !rhythm.wouldReport(within: 7 * step))
  }

  @Test("a device at rest teaches nothing of how it reports on the move", arguments: [1.0, 6, 30])
  func rhythmAtRest(step: Double) {
    var rhythm = Rhythm()
    let fixes = rest(from: 0, to: 3_600, every: step, accuracy: 65, error: 20)
    for (previous, fix) in zip(fixes, fixes.dropFirst()) {
      rhythm.learn(from: previous, to: fix, elapsed: step)
    }
    #expect(rhythm.count == 0)
  }

  // MARK: Where a stay is, and when it is over

  /// Positions of a network that lag behind by 150 m, then those of the place: what the filter takes
  /// for an offset.
  @Test("a stay is where all its fixes are", arguments: [150.0, 200], [20.0, 65])
  func allFixes(lag: Double, accuracy: Double) throws {
    var fixes = way(
      from: -lag - 600, at: 1.2, start: 0, fixes: 85, every: 6, accuracy: accuracy)
    fixes += (0..<5).map { ground.fix(510 + 12 * Double($0), -lag, 3, accuracy: accuracy) }
    fixes += rest(from: 576, to: 1_000, every: 20, accuracy: accuracy, error: 5)
    fixes += way(
      from: 200, at: 1.2, start: 3 * Self.hour, fixes: 80, every: 6, accuracy: accuracy)
    let found = visits(fixes).filter { $0.visit.departure != nil && !$0.visit.isRetracted }
    let last = try #require(found.last)
    #expect(last.event.coordinate.distance(to: ground.place(0)) < 40)
  }

  @Test("a way there and back that only the estimate made is taken back, one of the fixes is not")
  func takenBack() {
    let (home, away) = (Vector(x: 0, y: 0), Vector(x: 400, y: 0))
    func trail(fixesAreAway: Bool) -> Trail {
      var trail = Trail()
      for number in 0..<12 {
        let isAway = (3..<9).contains(number)
        trail.append(
          Trail.Point(
            time: Ground.time(20 * Double(number)), place: isAway ? away : home, sigma: 5,
            speed: 0, stillness: 1, fix: isAway && fixesAreAway ? away : home, fixSigma: 4))
      }
      return trail
    }
    var moved = trail(fixesAreAway: true)
    #expect(moved.takeBack(from: 0) == nil && moved[5].place.x == 400)
    var stayed = trail(fixesAreAway: false)
    // Once the estimate is back, the points before are those of the fixes.
    while stayed.end > 10 { stayed = cut(stayed) }
    #expect(stayed.takeBack(from: 0) == 3)
    #expect((3..<9).allSatisfy { stayed[$0].place.x == 0 && stayed[$0].sigma == 4 })
  }

  /// Without its last point.
  private func cut(_ trail: Trail) -> Trail {
    var shorter = Trail()
    for number in trail.start..<trail.end - 1 { shorter.append(trail[number]) }
    return shorter
  }

  @Test("the place of most fixes stands against a minority, and yields to a majority")
  func majority() {
    func point(_ east: Double) -> Trail.Point {
      let zero = Vector(x: 0, y: 0)
      return Trail.Point(
        time: Ground.time(0), place: zero, sigma: 5, speed: 0, stillness: 1,
        fix: Vector(x: east, y: 0), fixSigma: 5)
    }
    let center = Vector(x: 0, y: 0)
    var fixes = StayFixes(place: center)
    for number in 0..<300 {
      fixes.take(point(number % 3 == 0 ? 300 : 10), center: center, stood: 10)
    }
    #expect(abs(fixes.place.x - 10) < 1 && !fixes.decide(center: center))
    for _ in 0..<2_000 { fixes.take(point(300), center: center, stood: 10) }
    #expect(abs(fixes.place.x - 300) < 1 && fixes.decide(center: center) && fixes.isLed)
  }

  @Test("a device that goes by the place it left does not come back")
  func goesBy() throws {
    let left = 1_800.0
    var fixes = way(from: -3_000, at: 10, start: 0, fixes: 30, every: 10, accuracy: 10)
    fixes += rest(from: 300, to: left, every: 10, accuracy: 10)
    fixes += way(from: 0, at: 1.4, start: left, fixes: 18, every: 10, accuracy: 10)
    // By bus, past the door.
    fixes += way(
      from: 250, at: -8, start: left + 190, fixes: 100, every: 10, accuracy: 10, north: 30)
    let ends = visits(fixes).compactMap(\.visit.departure)
    #expect(ends.count == 1)
    #expect(abs(seconds(try #require(ends.first)) - left) < 60)
  }

  // MARK: What is claimed

  @Test("confidence falls with coarse fixes, shortness and silence")
  func confidence() {
    let rules = VisitRules()
    func claim(_ length: Double, _ unseen: Double, _ accuracy: Double) -> Double {
      VisitModel.confidence(length: length, unseen: unseen, accuracy: accuracy, rules)
    }
    #expect(claim(400, 0, 5) > claim(400, 0, 20) && claim(400, 0, 5) > claim(320, 0, 5))
    #expect(claim(7_200, 0, 5) > claim(7_200, 7_000, 5))
    #expect(claim(7_200, 0, 20) > claim(600, 0, 20))
    #expect(
      VisitModel.silentConfidence(length: 7_200) > VisitModel.silentConfidence(length: 900))
    #expect(claim(7_200, 7_200, 5) > VisitModel.silentConfidence(length: 7_200))
  }

  @Test("the coarser the fixes, the less sure are arrival and departure")
  func coarseTimes() throws {
    let sigmas = try [5.0, 30, 65].map { accuracy in
      var fixes = way(from: -600, at: 2, start: 0, fixes: 60, every: 5, accuracy: accuracy)
      fixes += rest(from: 300, to: 2_400, every: 5, accuracy: accuracy)
      fixes += way(from: 0, at: 2, start: 2_400, fixes: 150, every: 5, accuracy: accuracy)
      let visit = try #require(visits(fixes).last?.visit)
      return (
        try #require(visit.arrivalUncertainty), try #require(visit.departureUncertainty)
      )
    }
    #expect(sigmas[0].0 < sigmas[1].0 && sigmas[1].0 < sigmas[2].0, "\(sigmas)")
    #expect(sigmas[0].1 < sigmas[1].1 && sigmas[1].1 < sigmas[2].1, "\(sigmas)")
  }
}
