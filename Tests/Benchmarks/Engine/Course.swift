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

  func play(laps: Int) -> Outcome {
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
}
