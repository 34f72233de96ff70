import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Tracking

/// A van at a second customer a few hundred metres from the first, seen by a good receiver every minute or
/// so, and what its visits and crossings say of when it came and left.
@Suite("second stops and sparse arrivals")
struct SecondStopTests {
  /// Stays at places north of each other, metres from the origin, with drives of even speed between
  /// them, and what a receiver says every so many seconds.
  private struct Tour {
    var stays: [(place: Double, seconds: Double)]
    var speed = 9.0
    var step: Double
    /// Whether the receiver repeats its position to the last digit while the device stands still.
    var holds = false
    /// One sigma along each axis, metres, new with every fix, and what it claims.
    var error = 3.0
    var accuracy = 5.0

    /// When each stay begins and ends, seconds.
    var times: [(arrival: Double, departure: Double)] {
      var (time, last) = (0.0, stays[0].place)
      return stays.map { stay in
        time += abs(stay.place - last) / speed
        last = stay.place
        defer { time += stay.seconds }
        return (time, time + stay.seconds)
      }
    }

    private func place(at time: Double) -> (metres: Double, isAtRest: Bool) {
      let times = times
      for (number, span) in times.enumerated() where time < span.departure {
        guard time < span.arrival, number > 0 else { return (stays[number].place, true) }
        let way = stays[number].place - stays[number - 1].place
        let share =
          (time - times[number - 1].departure) / (span.arrival - times[number - 1].departure)
        return (stays[number - 1].place + share * way, false)
      }
      return (stays[stays.count - 1].place, true)
    }

    func fixes(seed: UInt64) -> [Fix] {
      var random = SeededGenerator(seed: seed)
      var fixes: [Fix] = []
      for time in stride(from: 0, to: times[stays.count - 1].departure, by: step) {
        let (metres, isAtRest) = place(at: time)
        let (north, east) = (metres + error * random.normal(), error * random.normal())
        var coordinate = Coordinate(latitude: 50 + north / 111_200, longitude: 8 + east / 71_500)
        if holds, isAtRest, let last = fixes.last, last.coordinate.isWithin(20, of: coordinate) {
          coordinate = last.coordinate
        }
        var fix = Fix(time: Ground.time(time), coordinate: coordinate)
        fix.horizontalAccuracy = accuracy
        fixes.append(fix)
      }
      return fixes
    }
  }

  private func play(_ tour: Tour, seed: UInt64) throws -> [Event] {
    let fences = tour.stays.enumerated().map { number, stay in
      let center = Coordinate(latitude: 50 + stay.place / 111_200, longitude: 8)
      return Fence(id: "\(number)", area: .circle(Circle(center: center, radius: 60)))
    }
    var rules = Rules(fences: try FenceSet(fences))
    rules.visits = VisitRules()
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in tour.fixes(seed: seed) { tracker.ingest(fix, into: &events) }
    return events
  }

  private func visits(_ events: [Event]) -> [Visit] {
    events.compactMap { event in
      if case .visit(let visit) = event.statement, visit.revision == 0 { visit } else { nil }
    }
  }

  @Test(
    "a stay of 25 min is seen wherever the second stop is",
    arguments: [60.0, 90, 120, 180], [200.0, 300, 500, 700])
  func isSeen(step: Double, apart: Double) throws {
    let tour = Tour(stays: [(0, 1_200), (apart, 1_500), (5_000, 600)], step: step)
    for seed: UInt64 in 1...3 {
      let events = try play(tour, seed: seed)
      let entered = events.contains {
        if case .enter = $0.statement, $0.fence == "1" { true } else { false }
      }
      #expect(entered, "seed \(seed)")
      let away = Ground.time(tour.times[1].departure)
      let arrivals = visits(events).map(\.arrival).filter { $0 < away }
      #expect(arrivals.count == 2, "seed \(seed): \(arrivals)")
    }
  }

  @Test(
    "a receiver that holds its position at rest moves nothing",
    arguments: [(120.0, 20_000.0), (120, 5_000), (60, 1_000), (30, 500)])
  func holds(step: Double, apart: Double) throws {
    let tour = Tour(stays: [(0, 1_200), (apart, 1_800)], step: step, holds: true)
    for seed: UInt64 in 1...3 {
      let events = try play(tour, seed: seed)
      let crossings = events.filter {
        switch $0.statement {
        case .enter, .exit: true
        default: false
        }
      }
      #expect(crossings.map(\.fence) == ["0", "1"], "seed \(seed)")
    }
  }

  @Test(
    "a receiver that holds its position at rest dates when it leaves", arguments: [5.0, 10, 30])
  func leaves(step: Double) throws {
    for seed: UInt64 in 1...5 {
      let stays = (0..<5).map { (place: Double($0 % 2) * 540, seconds: 901 + 100 * Double($0)) }
      let tour = Tour(stays: stays, speed: 11, step: step, holds: true)
      var exits: [Double] = []
      for event in try play(tour, seed: seed) {
        guard case .exit = event.statement, ["0", "1"].contains(event.fence) else { continue }
        exits.append(event.time.seconds(since: Ground.time(0)))
      }
      let truths = tour.times.dropLast().map { $0.departure + 60 / tour.speed }
      try #require(exits.count == truths.count, "seed \(seed)")
      for (exit, truth) in zip(exits, truths) {
        #expect(abs(exit - truth) < max(3, step / 2), "seed \(seed): \(exit), truth \(truth)")
      }
    }
  }

  @Test(
    "a receiver that errs less than it claims stays where it is", arguments: [20.0, 30],
    [10.0, 15, 25])
  func errsLess(step: Double, accuracy: Double) throws {
    #expect(try rightDays(step: step, error: 4, accuracy: accuracy) == 10, "of seeds 1 to 10")
  }

  @Test(
    "so does one whose fixes are minutes apart, whatever it claims", arguments: [120.0, 300])
  func sparse(step: Double) throws {
    let right = try rightDays(step: step, error: 12, accuracy: 40)
    #expect(right >= (step < 200 ? 10 : 7), "\(right) of the days of seeds 1 to 10")
  }

  @Test("so does one that claims far more than it errs", arguments: [4.0, 12])
  func quiet(error: Double) throws {
    let right = try rightDays(step: 30, error: error, accuracy: 40)
    #expect(right >= 9, "\(right) of the days of seeds 1 to 10")
  }

  @Test("so does one with a fix a minute", arguments: [(12.0, 25.0), (24, 40)])
  func minutes(error: Double, accuracy: Double) throws {
    let right = try rightDays(step: 60, error: error, accuracy: accuracy)
    #expect(right >= 7, "\(right) of the days of seeds 1 to 10")
  }

  @Test("so does one whose errors are as large as it claims, and new with every fix")
  func white() throws {
    let right = try rightDays(step: 20, error: 24, accuracy: 40)
    #expect(right >= 6, "\(right) of the days of seeds 1 to 10")
  }

  @Test("a stay of three fixes is a visit, and ends the one before", arguments: [200.0, 400])
  func threeFixes(apart: Double) throws {
    for seed: UInt64 in 1...4 {
      let tour = Tour(
        stays: [(0, 6_000), (apart, 1_800), (5_000, 4_800)], step: 600, error: 2, accuracy: 5)
      let truths = tour.times.dropLast().map { Ground.time($0.arrival) }
      let found = visits(try play(tour, seed: seed)).map(\.arrival)
      #expect(found.count >= 2, "seed \(seed): \(found)")
      for truth in truths {
        #expect(found.contains { abs($0.seconds(since: truth)) < 900 }, "seed \(seed): \(found)")
      }
    }
  }

  @Test("crossings lie where the fixes crossed the edge, however late the estimate follows")
  func datesOfFixes() throws {
    var (late, count) = (0, 0)
    for seed: UInt64 in 1...10 {
      let stays = (0..<6).map { (place: Double($0 % 2) * 540, seconds: 1_800 + 7 * Double(seed)) }
      let tour = Tour(stays: stays, speed: 13, step: 60, error: 4, accuracy: 15)
      let truths = zip(tour.times, tour.times.dropFirst()).flatMap {
        [$0.departure + 60 / tour.speed, $1.arrival - 60 / tour.speed]
      }
      for event in try play(tour, seed: seed) {
        switch event.statement {
        case .enter, .exit: break
        default: continue
        }
        let time = event.time.seconds(since: Ground.time(0))
        count += 1
        late += truths.contains { abs($0 - time) < 120 } ? 0 : 1
      }
    }
    #expect(count >= 90)
    #expect(late <= count / 10, "\(late) of \(count)")
  }

  /// How many of ten days between two places 540 m apart have their ten crossings, and none besides.
  private func rightDays(step: Double, error: Double, accuracy: Double) throws -> Int {
    var right = 0
    for seed: UInt64 in 1...10 {
      var random = SeededGenerator(seed: seed)
      let stays = (0..<6).map {
        (
          place: Double($0 % 2) * 540,
          seconds: 1_500 + 900 * Double.random(in: 0..<1, using: &random)
        )
      }
      let tour = Tour(stays: stays, speed: 11, step: step, error: error, accuracy: accuracy)
      let fences = try play(tour, seed: seed).compactMap { event -> String? in
        switch event.statement {
        case .enter, .exit: ["0", "1"].contains(event.fence) ? event.fence : nil
        default: nil
        }
      }
      right += fences == ["0", "1", "1", "0", "0", "1", "1", "0", "0", "1"] ? 1 : 0
    }
    return right
  }

  @Test(
    "arrivals and departures of sparse devices lie within their uncertainties",
    arguments: [
      (120.0, 2_000.0), (180, 2_000), (300, 2_000), (300, 12_000), (600, 30_000),
    ])
  func times(step: Double, apart: Double) throws {
    var (errors, count) = ([Double](), 0)
    for seed: UInt64 in 1...10 {
      let shift = Double(seed) * 0.09 * step
      let tour = Tour(
        stays: [(0, 3_600 + shift), (apart, 5_400 - shift), (0, 4_500 + 2 * shift)], speed: 12,
        step: step)
      for event in try play(tour, seed: seed) {
        guard case .visit(let visit) = event.statement else { continue }
        let truth = tour.times.min {
          abs(Ground.time($0.arrival).seconds(since: visit.arrival))
            < abs(Ground.time($1.arrival).seconds(since: visit.arrival))
        }
        guard let truth else { continue }
        if let sigma = visit.arrivalUncertainty, visit.revision == 0 {
          count += 1
          errors.append(visit.arrival.seconds(since: Ground.time(truth.arrival)) / sigma)
        }
        if let departure = visit.departure, let sigma = visit.departureUncertainty {
          count += 1
          errors.append(departure.seconds(since: Ground.time(truth.departure)) / sigma)
        }
      }
    }
    #expect(count >= 35)
    #expect(errors.filter { abs($0) > 4 }.count <= count / 40)
    #expect(errors.filter { abs($0) <= 2 }.count >= count * 4 / 5)
  }

  @Test(
    "a device with a fix a minute arrives when its fixes do, however late the estimate follows",
    arguments: [(4.0, 15.0), (12, 25)])
  func arrivesWithItsFixes(error: Double, accuracy: Double) throws {
    var (late, count) = (0, 0)
    for seed: UInt64 in 1...10 {
      let stays = (0..<6).map { (place: Double($0 % 2) * 540, seconds: 1_800 + 7 * Double(seed)) }
      let tour = Tour(stays: stays, speed: 13, step: 60, error: error, accuracy: accuracy)
      for visit in visits(try play(tour, seed: seed)) {
        guard let sigma = visit.arrivalUncertainty else { continue }
        let time = visit.arrival.seconds(since: Ground.time(0))
        count += 1
        late += tour.times.contains { abs($0.arrival - time) < 4 * sigma } ? 0 : 1
      }
    }
    #expect(count >= 48)
    #expect(late <= 1, "\(late) of \(count)")
  }

  @Test("an exit that a dwell holds back is as uncertain as it is moved")
  func heldBack() {
    var crossing = Crossing(timeUncertainty: 30, isInterpolated: true, confidence: 0.98)
    crossing.move(bySeconds: -10)
    #expect(crossing.timeUncertainty == 30)
    crossing.move(bySeconds: 40)
    #expect(crossing.timeUncertainty == 50)
  }
}
