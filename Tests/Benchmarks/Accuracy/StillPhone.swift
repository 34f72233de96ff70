import Geodesy
import Simulation
import Tracking

/// A phone that lies still for a day: every event is false.
enum StillPhone {
  private static let seeds: ClosedRange<UInt64> = 1...20
  private static let sigma = 8.0
  private static let interval = 10
  private static let day = 86_400
  /// One fix in so many is wild, where there are such.
  private static let wildShare = 2_000.0
  private static let wildDistance = 200.0

  /// Where the phone lies: its distance from the edge, metres, negative inside.
  private static let places: [(name: String, distance: Double)] = [
    ("5 m inside", -5), ("20 m inside", -20), ("20 m outside", 20),
  ]

  static func measure() throws {
    for kind in ErrorKind.allCases {
      let table = Table(
        "Still phone, sigma 8 m, errors \(kind.name), fix every 10 s, 24 h, "
          + "seeds \(seeds.lowerBound)-\(seeds.upperBound): false events a day",
        [("decision", 10)] + places.map { ($0.name, 12) } + [("centre, wild", 12)])
      var counts: [String: Int] = [:]
      for seed in seeds {
        try count(&counts, kind, seed, isWild: false)
        try count(&counts, kind, seed, isWild: true)
      }
      for decision in Decision.allCases {
        let names = places.map(\.name) + ["centre"]
        table.row(
          [decision.rawValue]
            + names.map { name in
              (Double(counts["\(decision.rawValue) \(name)", default: 0]) / Double(seeds.count))
                .text(2)
            })
      }
    }
  }

  /// Counts the events of one day for all places, as one tracker has fences that lie around the
  /// phone in all ways.
  private static func count(
    _ counts: inout [String: Int], _ kind: ErrorKind, _ seed: UInt64, isWild: Bool
  ) throws {
    let places = isWild ? [("centre", -Scenario.radius)] : places
    let fences = Decision.allCases.flatMap { decision in
      places.map { name, distance in
        Scenario.fence("\(decision.rawValue) \(name)", east: Scenario.radius + distance, decision)
      }
    }
    var tracker = try Scenario.tracker(fences)
    var receiver = Receiver(in: Scenario.frame, sigma: sigma, kind: kind, seed: seed)
    var wild = SeededGenerator(seed: seed, purpose: 1)
    var events: [Event] = []
    for second in stride(from: 0, to: day, by: interval) {
      var fix = receiver.fix(at: Double(second), Vector(x: 0, y: 0))
      if isWild, wild.happens(1 / wildShare) {
        fix = receiver.wildFix(at: Double(second), distance: wildDistance)
      }
      tracker.ingest(fix, into: &events)
    }
    for event in events {
      if let fence = event.entered ?? event.left { counts[fence, default: 0] += 1 }
    }
  }
}
