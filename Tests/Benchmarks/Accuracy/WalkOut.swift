import Geodesy
import Glibc
import Simulation
import Tracking

/// A person at the centre of a fence walks out of it.
struct WalkOut {
  private static let runs: ClosedRange<UInt64> = 1...200
  private static let speed = 1.4
  private static let interval = 5.0
  /// Seconds at the centre, and seconds of walking.
  private static let rest = 1_800.0
  private static let walk = 600.0

  let kind: ErrorKind
  /// 68 % radius, metres.
  let accuracy: Double

  static func measure() throws {
    let table = Table(
      "Walk out of a fence of 100 m at 1.4 m/s after 30 min at the centre, fix every 5 s, "
        + "seeds \(runs.lowerBound)-\(runs.upperBound), exit: median delay of `decided`, s",
      [("errors", 6), ("accuracy", 8)] + Decision.allCases.map { ($0.rawValue, 8) }
        + [("missed (balanced)", 5), ("false (balanced)", 5)])
    for kind in ErrorKind.allCases {
      for accuracy in [8.0, 30, 91] {
        let walk = WalkOut(kind: kind, accuracy: accuracy)
        var (delays, falseEvents) = ([Decision: [Double]](), 0)
        for seed in runs { try walk.go(seed, &delays, &falseEvents) }
        let missed = delays[.balanced, default: []].filter(\.isInfinite).count
        table.row(
          [kind.name, accuracy.text(0) + " m"]
            + Decision.allCases.map { Scenario.median(delays[$0, default: []]).text() }
            + [String(missed), String(falseEvents)])
      }
    }
  }

  private func go(
    _ seed: UInt64, _ delays: inout [Decision: [Double]], _ falseEvents: inout Int
  ) throws {
    var random = SeededGenerator(seed: seed, purpose: 1)
    let angle = 2 * .pi * random.unit()
    var tracker = try Scenario.tracker(Decision.allCases.map { Scenario.fence($0.rawValue, $0) })
    var receiver = Receiver(
      in: Scenario.frame, sigma: accuracy / Receiver.radius, kind: kind, seed: seed)
    var events: [Event] = []
    var second = Self.interval * random.unit()
    while second <= Self.rest + Self.walk {
      let way = max(0, second - Self.rest) * Self.speed
      let place = Vector(x: way * sin(angle), y: way * cos(angle))
      tracker.ingest(receiver.fix(at: second, place), into: &events)
      second += Self.interval
    }
    let truth = Self.rest + Scenario.radius / Self.speed
    for decision in Decision.allCases {
      let mine = events.filter { ($0.entered ?? $0.left) == decision.rawValue }
      // The exit that stands: after it they are outside for good.
      let exit = mine.last { $0.left != nil }
      delays[decision, default: []].append(exit.map { $0.decidedSecond - truth } ?? .infinity)
      if decision == .balanced { falseEvents += mine.count - (exit == nil ? 0 : 1) }
    }
  }
}
