import Geodesy
import Glibc
import Simulation
import Tracking

/// Significant changes on drives on a wide bend, and while nothing moves.
struct SignificantDrive {
  private static let runs: ClosedRange<UInt64> = 1...50
  private static let sigma = 5.0
  private static let rest = 600.0
  private static let drive = 1_800.0
  private static let week = 604_800.0
  /// Radius of the bend, metres: the way back begins when all is over.
  private static let bend = 30_000.0

  /// Metres per second.
  let speed: Double
  /// Seconds between fixes.
  let interval: Double

  let tellsSpeed: Bool

  static func measure() throws {
    let table = Table(
      "Significant changes, sigma 5 m, errors 100 s, 30 min of driving after 10 min of rest, "
        + "seeds \(runs.lowerBound)-\(runs.upperBound): reported by the first fix that allows it",
      [
        ("with speed", 10), ("speed", 6), ("fix every", 9), ("due", 5), ("in time", 8),
        ("too early", 5), ("late", 5),
      ])
    for tellsSpeed in [false, true] {
      for speed in [10.0, 20, 30] {
        for interval in [1.0, 10, 30, 60] {
          let drive = SignificantDrive(speed: speed, interval: interval, tellsSpeed: tellsSpeed)
          var tally = Tally()
          for seed in runs { try drive.go(seed, &tally) }
          table.row([
            tellsSpeed ? "yes" : "no", speed.text(0) + " m/s", interval.text(0) + " s",
            String(tally.due),
            (100 * Double(tally.due - tally.late) / Double(tally.due)).text() + " %",
            String(tally.early), String(tally.late),
          ])
        }
      }
    }
    try measureRest()
  }

  private func go(_ seed: UInt64, _ tally: inout Tally) throws {
    var random = SeededGenerator(seed: seed, purpose: 1)
    var receiver = Receiver(
      in: Scenario.frame, sigma: Self.sigma, kind: .correlated, tellsSpeed: tellsSpeed, seed: seed)
    var tracker = try Self.tracker()
    var events: [Event] = []
    tally.begin()
    var second = interval * random.unit()
    while second <= Self.rest + Self.drive {
      let drives = second > Self.rest
      let turn = drives ? (second - Self.rest) * speed / Self.bend : 0
      let place = Vector(x: Self.bend * (1 - cos(turn)), y: Self.bend * sin(turn))
      let velocity = Vector(x: drives ? speed * sin(turn) : 0, y: drives ? speed * cos(turn) : 0)
      tracker.ingest(receiver.fix(at: second, place, velocity), into: &events)
      tally.take(isReported: !events.isEmpty, place, second)
      events.removeAll(keepingCapacity: true)
      second += interval
    }
  }

  /// The result of the changes that were due.
  private struct Tally {
    private(set) var due = 0
    /// Reported before half of the distance.
    private(set) var early = 0
    /// Reported by a later fix than the first that allowed it, or never.
    private(set) var late = 0
    private let rules = SignificantChangeRules()
    /// The true position at the last reported change, and its time.
    private var anchor = Vector(x: 0, y: 0)
    private var lastReport = -Double.infinity
    private var isDue = false

    /// Starts with a device at the origin.
    mutating func begin() {
      (anchor, lastReport, isDue) = (Vector(x: 0, y: 0), -.infinity, false)
    }

    /// Counts a fix at the true position `place`, with or without a reported change.
    mutating func take(isReported: Bool, _ place: Vector, _ second: Double) {
      let way = Vector(x: place.x - anchor.x, y: place.y - anchor.y).length
      let allows = way >= rules.distance && second - lastReport >= rules.interval
      if isReported, way < rules.distance / 2 {
        early += 1
      } else if isReported || allows, !isDue {
        due += 1
        if !isReported { late += 1 }
      }
      isDue = !isReported && (isDue || allows)
      if isReported { (anchor, lastReport) = (place, second) }
    }
  }

  /// A phone that lies still for a week: every change is false.
  private static func measureRest() throws {
    let table = Table(
      "Significant changes of a phone that lies still for 7 days, fix every 10 s, seeds 1-5",
      [("errors", 6), ("sigma", 6), ("events", 6)])
    for kind in ErrorKind.allCases {
      for sigma in [8.0, 60] {
        var count = 0
        for seed: UInt64 in 1...5 {
          var receiver = Receiver(in: Scenario.frame, sigma: sigma, kind: kind, seed: seed)
          var tracker = try tracker()
          var events: [Event] = []
          for second in stride(from: 0, to: week, by: 10) {
            tracker.ingest(receiver.fix(at: second, Vector(x: 0, y: 0)), into: &events)
          }
          count += events.count
        }
        table.row([kind.name, sigma.text(0) + " m", String(count)])
      }
    }
  }

  private static func tracker() throws -> Tracker {
    var rules = Rules()
    rules.significantChanges = SignificantChangeRules()
    return Tracker(rules: rules)
  }
}
