import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Decisions on evidence")
struct EvidenceTests {
  static let rules: [Decision] = [.eager, .balanced, .strict]
  private let ground = Ground()

  /// What is said of a device whose true way and receiver are given.
  private func run(
    _ fences: [Fence], every step: Double, until end: Double, sigma: Double = 5,
    accuracy: Double? = nil, seed: UInt64 = 1, _ way: (Double) -> (east: Double, north: Double)
  ) throws -> [Event] {
    var random = SeededGenerator(seed: seed)
    var noise = Noise(sigma: sigma)
    var tracker = Tracker(rules: Rules(fences: try FenceSet(fences)))
    var events: [Event] = []
    for time in stride(from: 0.0, through: end, by: step) {
      let (place, error) = (way(time), noise.next(time, &random))
      tracker.ingest(
        ground.fix(
          time, place.east + error.x, place.north + error.y, accuracy: accuracy ?? sigma * 1.51),
        into: &events)
    }
    return events
  }

  private func letters(_ events: [Event]) -> String { events.map(\.letter).joined() }

  @Test("a phone that lies near the edge does not flap", arguments: [-20.0, -5, 5, 20])
  func nearEdge(distance: Double) throws {
    var said: [Decision: Int] = [:]
    for seed in 1...5 as ClosedRange<UInt64> {
      let fences = Decision.allCases.map { ground.circle("\($0)", radius: 100, decision: $0) }
      let events = try run(fences, every: 10, until: 21_600, sigma: 8, seed: seed) { _ in
        (100 + distance, 0)
      }
      for event in events {
        guard let crossing = event.crossing, let name = event.fence else { continue }
        guard let rule = Decision(rawValue: name) else { continue }
        let confidence = try #require(crossing.confidence)
        #expect(confidence > 0 && confidence <= 1, "seed \(seed): \(event)")
        said[rule, default: 0] += 1
      }
    }
    // In 30 hours; geometry alone says hundreds.
    if abs(distance) < 10 { #expect(said[.naive] ?? 0 > 100) }
    #expect(said[.balanced] ?? 0 <= (abs(distance) < 10 ? 12 : 2))
    #expect(said[.strict] ?? 0 <= 2)
  }

  @Test("fixes without an accuracy claim less confidence for the same crossing", arguments: rules)
  func unknownAccuracy(decision: Decision) throws {
    let found = try [25.0, nil].map { accuracy in
      let fence = ground.circle("a", radius: 100, decision: decision)
      var tracker = Tracker(rules: Rules(fences: try FenceSet([fence])))
      var events: [Event] = []
      for time in stride(from: 0.0, through: 300, by: 5) {
        tracker.ingest(ground.fix(time, 4 * time, accuracy: accuracy), into: &events)
      }
      return events
    }
    let (known, unknown) = (found[0].last?.crossing, found[1].last?.crossing)
    #expect(found[0].map(\.letter) == found[1].map(\.letter))
    let odds = try [known, unknown].map { crossing in
      let confidence = try #require(crossing?.confidence)
      return confidence / (1 - confidence)
    }
    // e^-1.1
    #expect(abs(odds[1] / odds[0] - 0.3329) < 0.01)
    let sigmas = try [known, unknown].map { try #require($0?.timeUncertainty) }
    // The guess is 25 m and a millimetre.
    #expect(abs(sigmas[1] / sigmas[0] - 1) < 1e-4)
  }

  @Test("a fence below the accuracy does not flap", arguments: rules)
  func smallFence(decision: Decision) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let events = try run(
        [ground.circle("small", radius: 10, decision: decision)], every: 10, until: 7_200,
        sigma: 20, seed: seed
      ) { _ in (0, 0) }
      let text = letters(events)
      // When nothing decides for minutes, the likelier side is said.
      #expect(text.hasPrefix("n") || text.hasPrefix("un"), "seed \(seed): \(text)")
      // The device is inside: after hours its place may be known well enough for an enter, once.
      #expect(["n", "un", "ne", "une"].contains(text), "seed \(seed): \(text)")
    }
  }

  @Test("unknown is said once, and then on which side", arguments: rules)
  func unknownFirst(decision: Decision) throws {
    let fence = ground.circle("a", radius: 100, decision: decision)
    // First on the edge, then clearly inside.
    let events = try run([fence], every: 5, until: 400) { (max(10, 100 - $0), 0) }
    #expect(letters(events) == "us")
    guard case .state(_, .unknown, let confidence) = try #require(events.first).statement else {
      Issue.record("\(events)")
      return
    }
    #expect(confidence == nil)
    var silent = fence
    silent.initial = .none
    #expect(try letters(run([silent], every: 5, until: 400) { (max(10, 100 - $0), 0) }).isEmpty)
    silent.initial = .enter
    let entered = try run([silent], every: 5, until: 400) { (max(10, 100 - $0), 0) }
    #expect(letters(entered) == "e")
  }

  @Test(
    "a walk through is an enter and an exit near the true times", arguments: rules, [1.0, 5, 15])
  func walk(decision: Decision, step: Double) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let fence = ground.circle("a", radius: 100, decision: decision)
      let events = try run([fence], every: step, until: 600, seed: seed) { (-420 + 1.4 * $0, 0) }
      #expect(letters(events) == "nex", "seed \(seed)")
      for (event, crossed) in zip(events.dropFirst(), [320 / 1.4, 520 / 1.4]) {
        let error = event.time.seconds(since: Ground.time(crossed))
        #expect(abs(error) < 15, "seed \(seed): \(error) s")
        #expect(abs(ground.frame.origin.distance(to: event.coordinate) - 100) < 15, "seed \(seed)")
        #expect(event.time <= event.decided)
        #expect(event.decided.seconds(since: Ground.time(crossed)) < 60, "seed \(seed)")
        let crossing = try #require(event.crossing)
        #expect(crossing.isInterpolated)
        #expect(crossing.confidence ?? 0 > 0.5 && crossing.confidence ?? 0 <= 1)
        #expect(crossing.timeUncertainty ?? 0 > 0)
      }
    }
  }

  @Test("a drive through that a fix saw is found at every rate", arguments: [1.0, 10, 30, 60])
  func drive(step: Double) throws {
    var (seen, found, errors) = (0, 0, [Double]())
    for seed in 1...20 as ClosedRange<UInt64> {
      let start = -3_000 - Double(seed) * 31
      let events = try run(
        [ground.circle("a", radius: 100)], every: step, until: 420, sigma: 4, seed: seed
      ) { (start + 15 * $0, 20) }
      let isSeen = stride(from: 0, through: 420, by: step).contains { abs(start + 15 * $0) < 60 }
      if isSeen { seen += 1 }
      let crossings = events.filter { $0.crossing != nil }
      #expect(crossings.isEmpty || letters(crossings) == "ex", "seed \(seed)")
      guard !crossings.isEmpty else { continue }
      found += 1
      let edge = (100.0 * 100 - 20 * 20).squareRoot()
      let trueTimes = [(-edge - start) / 15, (edge - start) / 15]
      for (event, time) in zip(crossings, trueTimes) {
        errors.append(abs(event.time.seconds(since: Ground.time(time))))
      }
    }
    #expect(seen > 0 && found >= seen, "\(found) of \(seen) at \(step) s")
    if step <= 10 { #expect(found == 20) }
    let median = errors.sorted()[errors.count / 2]
    #expect(median < 2, "\(median) s at \(step) s")
  }

  @Test("one wild fix flips nothing", arguments: [1.0, 10, 30], [150.0, 200, 500, 20_000])
  func wildFix(step: Double, distance: Double) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let fences = [Decision.balanced, .strict].map {
        ground.circle("\($0)", radius: 100, decision: $0)
      }
      var random = SeededGenerator(seed: seed)
      var noise = Noise(sigma: 5)
      var tracker = Tracker(rules: Rules(fences: try FenceSet(fences)))
      var events: [Event] = []
      for index in 0..<200 {
        let isWild = index == 120
        let error = noise.next(Double(index) * step, &random)
        tracker.ingest(
          ground.fix(
            Double(index) * step, isWild ? distance : error.x, error.y, accuracy: isWild ? 2 : 8),
          into: &events)
      }
      #expect(letters(events) == "ss", "seed \(seed)")
    }
  }

  @Test("leaving a hole's fence is crossing the hole's edge", arguments: rules)
  func hole(decision: Decision) throws {
    func square(_ half: Double) -> [Coordinate] {
      [(-half, -half), (half, -half), (half, half), (-half, half)].map { ground.place($0, $1) }
    }
    var fence = Fence(
      id: "ring", area: .polygons([try Polygon(exterior: square(400), holes: [square(150)])]))
    fence.decision = decision
    for seed in 1...3 as ClosedRange<UInt64> {
      let events = try run([fence], every: 5, until: 900, seed: seed) { (-630 + 1.4 * $0, 0) }
      // In at -400, out at -150, in at 150, out at 400.
      #expect(letters(events) == "nexex", "seed \(seed)")
      for (event, east) in zip(events.dropFirst(), [-400.0, -150, 150, 400]) {
        #expect(event.coordinate.distance(to: ground.place(east)) < 20, "seed \(seed)")
      }
    }
  }

  @Test("a silent device whose dwell was said leaves after it, not before", arguments: rules)
  func exitAfterDwell(decision: Decision) throws {
    var fence = ground.circle("a", radius: 100, decision: decision)
    (fence.dwell, fence.notifications) = (600_000_000_000, [.enter, .exit, .dwell])
    var tracker = Tracker(rules: Rules(fences: try FenceSet([fence])))
    var events: [Event] = []
    for time in stride(from: 0.0, to: 60, by: 5) {
      tracker.ingest(ground.fix(time, 0, time / 100), into: &events)
    }
    // Then silence; the dwell is full after 600 s, and the way out alone would be before it.
    for time in stride(from: 800.0, to: 900, by: 5) {
      tracker.ingest(ground.fix(time, 5_000, time / 100), into: &events)
    }
    #expect(letters(events) == "sdx")
    let (dwell, exit) = (try #require(events.dropFirst().first), try #require(events.last))
    #expect(dwell.time == Ground.time(600) && dwell.decided == Ground.time(600))
    #expect(exit.time >= dwell.time && exit.decided >= Ground.time(800))
    guard case .exit(_, _, let inside) = exit.statement else { return }
    #expect(inside >= 600)
  }

  @Test("a device on the other side is not said to dwell while that is not decided")
  func noDwellInDoubt() throws {
    var fence = ground.circle("a", radius: 100, decision: .strict)
    (fence.dwell, fence.notifications) = (100_000_000_000, [.enter, .exit, .dwell])
    let events = try run([fence], every: 5, until: 400) { ($0 < 80 ? 0 : 2 * ($0 - 80), 0) }
    // Out after 130 s, so that the dwell of 100 s was full before.
    #expect(letters(events) == "sdx")
    let early = try run([fence], every: 5, until: 400) { ($0 < 30 ? 0 : 2 * ($0 - 30), 0) }
    #expect(letters(early) == "sx")
  }
}

extension Event {
  /// The fence of which it tells; nil when of none.
  var fence: String? {
    switch statement {
    case .enter(let fence, _), .exit(let fence, _, _), .dwell(let fence, _),
      .state(let fence, _, _):
      fence
    case .visit, .significantChange: nil
    }
  }
}
