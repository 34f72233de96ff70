import Geodesy
import Tracking

/// Fixes of devices that are played lap after lap, each lap later than the one before, and the rules
/// under which they are judged.
struct Course {
  let rules: Rules
  /// The fixes of a lap of each device, by time.
  let tracks: [[Fix]]
  /// From the start of a lap to the start of the next one, nanoseconds.
  let period: Int64
  /// How many devices follow the one track, in turn, each from elsewhere; nil when each track has its own.
  private var devices: Int?

  /// 2025-03-10T08:00:00Z.
  static let start = Timestamp(nanoseconds: 1_741_593_600_000_000_000)

  init(_ areas: [Area], tracks: [[Fix]], seconds: Double) throws {
    var rules = Rules(
      fences: try FenceSet(areas.enumerated().map { Fence(id: "fence-\($0)", area: $1) }))
    rules.visits = VisitRules()
    rules.significantChanges = SignificantChangeRules()
    (self.rules, self.tracks) = (rules, tracks)
    period = Int64(seconds * 1e9)
  }

  /// What was counted.
  struct Outcome {
    var fixes = 0
    var events = 0
    var dropped = 0
  }

  /// The same way for many devices in one fleet.
  func inTurn(_ devices: Int) -> Self {
    var course = self
    course.devices = devices
    return course
  }

  func play(laps: Int) -> Outcome {
    if let devices { return play(devices, seconds: laps * Self.fleetSeconds) }
    var outcome = Outcome()
    var events: [Event] = []
    for track in tracks {
      var tracker = Tracker(rules: rules)
      for lap in 0..<laps {
        for var fix in track {
          fix.time?.nanoseconds += Int64(lap) * period
          tracker.ingest(fix, into: &events)
          outcome.events += events.count
          events.removeAll(keepingCapacity: true)
        }
      }
      outcome.fixes += track.count * laps
      outcome.dropped += tracker.counts.dropped
    }
    return outcome
  }

  /// Seconds of a lap of a fleet, and how many devices are not packed.
  private static let (fleetSeconds, fleetActive) = (20, 64)

  /// A fix of each device every second, the next one 97 fixes further along the way.
  private func play(_ devices: Int, seconds: Int) -> Outcome {
    var outcome = Outcome()
    var events: [Event] = []
    var fleet = Fleet(rules: rules, activeLimit: Self.fleetActive, keepsHistory: false)
    let numbers = (0..<devices).map { fleet.index(of: "device-\($0)") }
    for second in 0..<seconds {
      for device in numbers {
        var fix = tracks[0][(second + device * 97) % tracks[0].count]
        fix.time = Timestamp(nanoseconds: Self.start.nanoseconds + Int64(second) * 1_000_000_000)
        fleet.ingest(fix, of: device, into: &events)
        outcome.events += events.count
        events.removeAll(keepingCapacity: true)
      }
    }
    outcome.fixes = devices * seconds
    outcome.dropped = numbers.reduce(0) { $0 + fleet.counts(of: $1).dropped }
    return outcome
  }
}
