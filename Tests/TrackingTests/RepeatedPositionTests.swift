import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// Trackers that send more often than they measure: between two measurements each fix repeats the last
/// position to the last digit, also on the way.
@Suite("repeated positions on the way")
struct RepeatedPositionTests {
  /// Between two places 540 m apart, with 25 to 40 min at each, in errors of 4 m along each axis.
  private struct Shuttle {
    var speed: Double
    /// Seconds between two fixes, and between two measurements.
    var (interval, refresh): (Double, Double)
    var accuracy: Double?
    var hasVelocity = false

    static let apart = 540.0
    static let radius = 80.0

    /// When each stay begins and ends, seconds, and whether it is at the far place.
    var stays: [(arrival: Double, departure: Double, isFar: Bool)] {
      var time = 0.0
      return (0..<6).map { number in
        defer { time += Self.apart / speed }
        let arrival = time
        time += 1_500 + 180 * Double(number)
        return (arrival, time, !number.isMultiple(of: 2))
      }
    }

    /// Times at which an edge is crossed, in order.
    var crossings: [Double] {
      stays.dropLast().flatMap { stay in
        let way = Self.radius / speed
        return [stay.departure + way, stay.departure + Self.apart / speed - way]
      }
    }

    private func place(at time: Double) -> (metres: Double, speed: Double, course: Double) {
      let stays = stays
      guard let number = stays.firstIndex(where: { time < $0.departure }) else { return (0, 0, 0) }
      let stay = stays[number]
      let rest = stay.isFar ? Self.apart : 0
      guard time < stay.arrival else { return (rest, 0, 0) }
      let left = (stay.arrival - time) * speed
      return (stay.isFar ? rest - left : rest + left, speed, stay.isFar ? 0 : 180)
    }

    func fixes(seed: UInt64) -> [Fix] {
      var random = SeededGenerator(seed: seed)
      var (fixes, measured) = ([Fix](), -Double.infinity)
      let start = Double(seed) * 0.3 * refresh
      for time in stride(from: start, to: stays[5].departure, by: interval) {
        var fix: Fix
        if time - measured >= refresh - 0.5 {
          measured = time
          let (metres, speed, course) = place(at: time)
          let (north, east) = (metres + 4 * random.normal(), 4 * random.normal())
          fix = Fix(
            time: Ground.time(time),
            coordinate: Coordinate(latitude: 50 + north / 111_200, longitude: 8 + east / 71_500))
          fix.horizontalAccuracy = accuracy
          if hasVelocity { (fix.speed, fix.course) = (speed, course) }
        } else {
          fix = fixes[fixes.count - 1]
          fix.time = Ground.time(time)
        }
        fixes.append(fix)
      }
      return fixes
    }
  }

  private static let shuttles = [
    Shuttle(speed: 1.35, interval: 10, refresh: 60, accuracy: nil),
    Shuttle(speed: 1.35, interval: 10, refresh: 60, accuracy: 12, hasVelocity: true),
    Shuttle(speed: 11, interval: 10, refresh: 20, accuracy: 15),
    Shuttle(speed: 11, interval: 1, refresh: 10, accuracy: nil),
    Shuttle(speed: 1.35, interval: 30, refresh: 90, accuracy: nil),
  ]

  private var fences: [Fence] {
    [0, Shuttle.apart].map { place in
      let center = Coordinate(latitude: 50 + place / 111_200, longitude: 8)
      return Fence(
        id: place == 0 ? "near" : "far",
        area: .circle(Circle(center: center, radius: Shuttle.radius)))
    }
  }

  private func crossings(_ events: [Event]) -> [Event] {
    events.filter {
      switch $0.statement {
      case .enter, .exit: true
      default: false
      }
    }
  }

  @Test("every crossing and every stay is reported, and none besides", arguments: 0..<5)
  func isSeen(number: Int) throws {
    let shuttle = Self.shuttles[number]
    var rules = Rules(fences: try FenceSet(fences))
    rules.visits = VisitRules()
    for seed: UInt64 in 1...3 {
      var (tracker, events) = (Tracker(rules: rules), [Event]())
      for fix in shuttle.fixes(seed: seed) { tracker.ingest(fix, into: &events) }
      let found = crossings(events)
      try #require(found.count == shuttle.crossings.count, "seed \(seed)")
      for (event, truth) in zip(found, shuttle.crossings) {
        let error = event.time.seconds(since: Ground.time(truth))
        #expect(abs(error) < max(30, shuttle.refresh), "seed \(seed), crossing at \(truth) s")
      }
      let arrivals = Set(
        events.compactMap { event in
          if case .visit(let visit) = event.statement { visit.arrival } else { nil }
        })
      #expect(arrivals.count == 6, "seed \(seed)")
    }
  }

  /// A crossing lies between two measurements, not between two fixes.
  @Test("times of crossings are as uncertain as they claim")
  func timesAreRight() throws {
    let rules = Rules(fences: try FenceSet(fences))
    var (errors, within, count) = ([Double](), 0, 0)
    for shuttle in Self.shuttles {
      for seed: UInt64 in 4...9 {
        var (tracker, events) = (Tracker(rules: rules), [Event]())
        for fix in shuttle.fixes(seed: seed) { tracker.ingest(fix, into: &events) }
        for (event, truth) in zip(crossings(events), shuttle.crossings) {
          let error = abs(event.time.seconds(since: Ground.time(truth)))
          errors.append(error)
          count += 1
          if error <= 2 * (crossing(event)?.timeUncertainty ?? 0) { within += 1 }
        }
      }
    }
    errors.sort()
    #expect(errors[count / 2] < 3, "median \(errors[count / 2]) s")
    #expect(Double(within) > 0.9 * Double(count), "\(within) of \(count)")
  }

  /// The estimate lies between the place of rest and the new one, before the edge, when the new one is
  /// already probable enough.
  @Test("a crossing of the fixes that the estimate does not make has an uncertainty")
  func ofFixes() throws {
    let ground = Ground()
    // A new position a minute: on the way, at rest, and on the way again from 770 s at the latest.
    let places: [Double] = [
      0, 3, -2, 2, 780, 1_560, 1_563, 1_558, 1_562, 1_564, 1_560, 1_562, 1_567, 2_117, 2_717,
      2_720, 2_718,
    ]
    let fence = Fence(
      id: "a", area: .circle(Circle(center: ground.place(2_181), radius: 80)))
    var (tracker, events) = (Tracker(rules: Rules(fences: try FenceSet([fence]))), [Event]())
    for time in stride(from: 0, to: 60 * places.count, by: 10) {
      tracker.ingest(ground.fix(Double(time), places[time / 60]), into: &events)
    }
    let enter = try #require(crossings(events).first)
    let sigma = try #require(crossing(enter)?.timeUncertainty)
    #expect((720...780).contains(enter.time.seconds(since: Ground.time(0))))
    #expect((10...30).contains(sigma))
  }

  private func crossing(_ event: Event) -> Crossing? {
    switch event.statement {
    case .enter(_, let crossing), .exit(_, let crossing, _): crossing
    default: nil
    }
  }

  @Test("a run of repetitions is one measurement, and a state that is packed in it goes on")
  func packed() throws {
    let rules = Rules(fences: try FenceSet(fences))
    let fixes = Self.shuttles[0].fixes(seed: 10)
    var (whole, events) = (Tracker(rules: rules), [Event]())
    var (halves, others) = (Tracker(rules: rules), [Event]())
    for (number, fix) in fixes.enumerated() {
      whole.ingest(fix, into: &events)
      halves.ingest(fix, into: &others)
      if number.isMultiple(of: 7) {
        var packer = Packer()
        halves.pack(into: &packer, keepsHistory: true)
        halves = Tracker(rules: rules)
        try packer.bytes.withUnsafeBytes { bytes in
          var unpacker = Unpacker(bytes)
          try halves.unpack(from: &unpacker)
        }
      }
    }
    #expect(events == others)
  }

  @Test("in hindsight, too", arguments: 0..<5)
  func inHindsight(number: Int) throws {
    let shuttle = Self.shuttles[number]
    let rules = Rules(fences: try FenceSet(fences))
    for seed: UInt64 in 1...3 {
      var (tracker, events) = (HindsightTracker(rules: rules), [Event]())
      for fix in shuttle.fixes(seed: seed) { tracker.ingest(fix, into: &events) }
      tracker.finish(into: &events)
      #expect(crossings(events).count == shuttle.crossings.count, "seed \(seed)")
    }
  }
}
