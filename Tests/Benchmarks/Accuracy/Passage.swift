import Geodesy
import Glibc
import Simulation
import Tracking

/// A car that drives straight through a fence, and does not stop.
struct Passage {
  private static let runs: ClosedRange<UInt64> = 1...200
  private static let speed = 15.0
  private static let sigma = 5.0
  private static let track = 12_000.0
  /// Tolerance when an event is matched with the truth, seconds.
  private static let tolerance = 120.0

  let kind: ErrorKind
  let tellsSpeed: Bool
  /// Seconds between fixes.
  let interval: Double
  /// How far from the centre the car passes, metres.
  let offset: Double

  /// The result of the runs.
  struct Result {
    var found = 0
    var errors: [Double] = []
    var falseEvents = 0
  }

  static func measure() throws {
    for kind in ErrorKind.allCases {
      let table = Table(
        "Car at 15 m/s through a fence of 100 m, sigma 5 m, errors \(kind.name), 12 km, "
          + "seeds \(runs.lowerBound)-\(runs.upperBound), balanced",
        [
          ("with speed", 10), ("offset", 6), ("fix every", 9), ("found", 7),
          ("enter error, s", 8), ("false events", 5),
        ])
      for tellsSpeed in [false, true] {
        for offset in [0.0, 60] {
          for interval in [1.0, 10, 30, 60] {
            let passage = Passage(
              kind: kind, tellsSpeed: tellsSpeed, interval: interval, offset: offset)
            let result = try passage.result()
            table.row([
              tellsSpeed ? "yes" : "no", offset.text(0) + " m", interval.text(0) + " s",
              (100 * Double(result.found) / Double(runs.count)).text() + " %",
              Scenario.median(result.errors).text(2), String(result.falseEvents),
            ])
          }
        }
      }
    }
  }

  private func result() throws -> Result {
    var result = Result()
    for seed in Self.runs { try drive(seed, &result) }
    return result
  }

  private func drive(_ seed: UInt64, _ result: inout Result) throws {
    var random = SeededGenerator(seed: seed, purpose: 1)
    let angle = 2 * .pi * random.unit()
    let (east, north) = (sin(angle), cos(angle))
    let velocity = Vector(x: Self.speed * east, y: Self.speed * north)
    var tracker = try Scenario.tracker([Scenario.fence("fence", .balanced)])
    var receiver = Receiver(
      in: Scenario.frame, sigma: Self.sigma, kind: kind, tellsSpeed: tellsSpeed, seed: seed)
    var events: [Event] = []
    var second = interval * random.unit()
    while second <= Self.track / Self.speed {
      let along = second * Self.speed - Self.track / 2
      let place = Vector(x: along * east + offset * north, y: along * north - offset * east)
      tracker.ingest(receiver.fix(at: second, place, velocity), into: &events)
      second += interval
    }
    score(events, &result)
  }

  private func score(_ events: [Event], _ result: inout Result) {
    let half = (Scenario.radius * Scenario.radius - offset * offset).squareRoot()
    let enter = (Self.track / 2 - half) / Self.speed
    let exit = (Self.track / 2 + half) / Self.speed
    func near(_ events: [Event], _ truth: Double) -> Event? {
      events.filter { abs($0.second - truth) <= Self.tolerance }
        .min { abs($0.second - truth) < abs($1.second - truth) }
    }
    let (enters, exits) = (events.filter { $0.entered != nil }, events.filter { $0.left != nil })
    let (first, last) = (near(enters, enter), near(exits, exit))
    if let first, last != nil {
      result.found += 1
      result.errors.append(abs(first.second - enter))
    }
    result.falseEvents += enters.count + exits.count
    result.falseEvents -= (first == nil ? 0 : 1) + (last == nil ? 0 : 1)
  }
}
