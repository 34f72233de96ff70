import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Tracking

/// Devices that report every few minutes or hours and go far between two fixes: vans, ships, aircraft.
@Suite("Sparse fixes of fast devices")
struct SparseTravelTests {
  /// At rest at the origin, then north at even speed: how long and far, and a fix every so many seconds.
  struct Journey: CustomTestStringConvertible {
    let name: String
    let rest: Double
    let moving: Double
    let speed: Double
    let step: Double
    var reportsSpeed = true

    var testDescription: String { name }
  }

  private static let journeys = [
    Journey(name: "truck", rest: 3_600, moving: 10_800, speed: 30, step: 600),
    Journey(
      name: "truck without speed", rest: 3_600, moving: 10_800, speed: 30, step: 600,
      reportsSpeed: false),
    Journey(name: "aircraft", rest: 3_600, moving: 7_200, speed: 240, step: 300),
    Journey(name: "ship", rest: 28_800, moving: 86_400, speed: 9, step: 3_600),
    Journey(name: "train", rest: 3_600, moving: 5_400, speed: 60, step: 300),
  ]

  private func fixes(_ journey: Journey, seed: UInt64 = 1) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    return stride(from: 0, through: journey.rest + journey.moving, by: journey.step).map { time in
      let way = max(0, time - journey.rest) * journey.speed
      let latitude = 40 + (way + 3 * random.normal()) / 111_200
      var fix = Fix(at: latitude, 11 + 3 * random.normal() / 85_000, time)
      if journey.reportsSpeed {
        fix.speed = time > journey.rest ? journey.speed : 0
        if time > journey.rest { fix.course = 0 }
      }
      return fix
    }
  }

  private func play(_ fixes: [Fix]) throws -> (events: [Event], tracker: Tracker) {
    let home = Fence(
      id: "home",
      area: .circle(Circle(center: Coordinate(latitude: 40, longitude: 11), radius: 200)))
    var rules = Rules(fences: try FenceSet([home]))
    rules.visits = VisitRules()
    rules.memory = 30 * 86_400
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return (events, tracker)
  }

  @Test(
    "the estimate follows, and the exit and the end of the visit lie where it left",
    arguments: journeys)
  func leaves(_ journey: Journey) throws {
    let fixes = fixes(journey)
    let (events, tracker) = try play(fixes)
    let last = try #require(fixes.last)
    let estimate = try #require(tracker.estimate)
    #expect(estimate.coordinate.distance(to: last.coordinate) < 100)

    let exits = events.filter { if case .exit = $0.statement { true } else { false } }
    let exit = try #require(exits.first)
    #expect(exits.count == 1)
    #expect(abs(exit.time.seconds(since: Ground.time(journey.rest))) <= journey.step)
    #expect(exit.decided.seconds(since: Ground.time(journey.rest)) <= 4 * journey.step)

    let departures = events.compactMap { event in
      if case .visit(let visit) = event.statement { visit.departure } else { nil }
    }
    #expect(departures.count == 1)
    #expect(
      abs(try #require(departures.first).seconds(since: Ground.time(journey.rest))) <= journey.step)
  }

  @Test(
    "an hourly tracker that is elsewhere twice has left, also when both fixes are far from each other"
  )
  func twice() throws {
    let home = (0..<5).map { fix(hour: $0, latitude: 40) }
    let away = [40.3, 40.9, 40.9].enumerated().map { fix(hour: 5 + $0, latitude: $1) }
    let (events, _) = try play(home + away)
    let exit = try #require(
      events.first { if case .exit = $0.statement { true } else { false } })
    #expect(exit.time >= Ground.time(4 * 3_600) && exit.time <= Ground.time(5 * 3_600))
    #expect(exit.decided <= Ground.time(6 * 3_600 + 300))
  }

  /// A device on its way from the first fix on, and whether it reports its velocity.
  @Test(
    "one that was never seen at rest is where its fixes are, and its velocity spoils nothing",
    arguments: [(8.0, 2_700.0), (8, 3_600), (8, 21_600), (25, 1_800), (230, 900)], [true, false])
  func underWay(_ travel: (speed: Double, step: Double), reportsSpeed: Bool) throws {
    let journey = Journey(
      name: "under way", rest: 0, moving: min(30 * travel.step, 4e6 / travel.speed),
      speed: travel.speed, step: travel.step, reportsSpeed: reportsSpeed)
    var (tracker, events, off) = (Tracker(rules: Rules(fences: try FenceSet([]))), [Event](), 0)
    for var fix in fixes(journey) {
      if reportsSpeed { (fix.speed, fix.course) = (travel.speed, 0) }
      tracker.ingest(fix, into: &events)
      let estimate = try #require(tracker.estimate)
      off += estimate.coordinate.distance(to: fix.coordinate) > 200 ? 1 : 0
      // Nothing is known of a velocity at the first fix.
      if reportsSpeed, tracker.estimate != nil, fix.time != Ground.time(0) {
        #expect(estimate.stillness < 0.5)
      }
    }
    #expect(off <= (reportsSpeed ? 0 : 2))
  }

  @Test("a ship that turns, and reports every hour, is where it claims to be")
  func turns() throws {
    for seed: UInt64 in 1...4 {
      var random = SeededGenerator(seed: seed)
      var (tracker, events) = (Tracker(rules: Rules(fences: try FenceSet([]))), [Event]())
      var (place, course) = (Coordinate(latitude: 40, longitude: 11), 0.0)
      for hour in 0..<40 {
        var fix = Fix(time: Ground.time(Double(hour) * 3_600), coordinate: place)
        fix.horizontalAccuracy = 10
        (fix.speed, fix.course) = (8, course)
        tracker.ingest(fix, into: &events)
        let estimate = try #require(tracker.estimate)
        let error = estimate.coordinate.distance(to: place)
        #expect(error < 200 || error < 4 * estimate.sigma, "seed \(seed), hour \(hour)")
        course = (course + 40 * random.normal() + 720).truncatingRemainder(dividingBy: 360)
        place = place.destination(bearing: course, distance: 8 * 3_600)
      }
    }
  }

  @Test("one wrong fix of an hourly tracker is no journey")
  func once() throws {
    let fixes = (0..<12).map { fix(hour: $0, latitude: $0 == 6 ? 40.3 : 40) }
    let (events, tracker) = try play(fixes)
    #expect(!events.contains { if case .exit = $0.statement { true } else { false } })
    #expect(try #require(tracker.estimate).coordinate.latitude < 40.001)
  }

  @Test("wrong fixes that lie now here, now there, are no course")
  func scattered() throws {
    // Every 60 s, 6 to 10 km off in turn to the north, the south and the east.
    var fixes = (0..<60).map { Fix(at: 40, 11, Double($0) * 60) }
    for (number, place) in [(40.08, 11), (39.91, 11), (40, 11.09)].enumerated() {
      fixes[40 + number] = Fix(at: place.0, Double(place.1), Double(40 + number) * 60)
    }
    let (events, _) = try play(fixes)
    #expect(!events.contains { if case .exit = $0.statement { true } else { false } })
  }

  private func fix(hour: Int, latitude: Double) -> Fix {
    Fix(at: latitude, 11, Double(hour) * 3_600)
  }
}

extension Fix {
  fileprivate init(at latitude: Double, _ longitude: Double, _ seconds: Double) {
    self.init(
      time: Ground.time(seconds), coordinate: Coordinate(latitude: latitude, longitude: longitude))
    horizontalAccuracy = 10
  }
}

/// The ends of stays of devices that report every few minutes.
@Suite("Sparse fixes: when a stay ended")
struct SparseDepartureTests {
  @Test(
    "a stay ends between its last fix and the first one away",
    arguments: [400.0, 500, 600, 1_800, 3_600])
  func departure(step: Double) throws {
    let (left, speed) = (28_800.0, step < 3_600 ? 10.0 : 2.0)
    var random = SeededGenerator(seed: 7)
    var rules = Rules()
    rules.visits = VisitRules()
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    let times = stride(from: 0, through: left + 12 * step, by: step)
    for time in times {
      let latitude = 48 + (max(0, time - left) * speed + 2 * random.normal()) / 111_200
      tracker.ingest(Fix(at: latitude, 11, time), into: &events)
    }
    let visits = events.compactMap { event in
      if case .visit(let visit) = event.statement, visit.departure != nil { visit } else { nil }
    }
    let visit = try #require(visits.first)
    let departure = try #require(visit.departure).seconds(since: Ground.time(0))
    let last = (left / step).rounded(.down) * step
    #expect(departure >= last && departure <= last + step, "\(departure)")
  }
}
