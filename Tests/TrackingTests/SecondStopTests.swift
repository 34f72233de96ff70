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
  /// them, and what a receiver that errs by 3 m along each axis says every so many seconds.
  private struct Tour {
    var stays: [(place: Double, seconds: Double)]
    var speed = 9.0
    var step: Double
    /// Whether the receiver repeats its position to the last digit while the device stands still.
    var holds = false

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
        let (north, east) = (metres + 3 * random.normal(), 3 * random.normal())
        var coordinate = Coordinate(latitude: 50 + north / 111_200, longitude: 8 + east / 71_500)
        if holds, isAtRest, let last = fixes.last, last.coordinate.isWithin(20, of: coordinate) {
          coordinate = last.coordinate
        }
        var fix = Fix(time: Ground.time(time), coordinate: coordinate)
        fix.horizontalAccuracy = 5
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

  @Test("an exit that a dwell holds back is as uncertain as it is moved")
  func heldBack() {
    var crossing = Crossing(timeUncertainty: 30, isInterpolated: true, confidence: 0.98)
    crossing.move(bySeconds: -10)
    #expect(crossing.timeUncertainty == 30)
    crossing.move(bySeconds: 40)
    #expect(crossing.timeUncertainty == 50)
  }
}
