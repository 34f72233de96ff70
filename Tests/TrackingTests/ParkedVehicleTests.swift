import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Tracking

/// Trackers of vehicles hold their position while parked, to the last digit, and report it at long intervals
/// and when the engine starts.
@Suite("Parked vehicles that hold their position")
struct ParkedVehicleTests {
  private let ground = Ground()
  /// When the engine starts.
  private static let start = 18_900.0

  /// Metres after so many seconds from rest, up to 15 m/s.
  private static func way(_ time: Double) -> Double {
    time < 7.5 ? time * time : 56.25 + 15 * (time - 7.5)
  }

  private func day(every step: Double, phase: Double, reportsSpeed: Bool) -> [Fix] {
    func parked(_ time: Double, at east: Double) -> Fix {
      var fix = ground.fix(time, east, 0, accuracy: 6)
      fix.speed = reportsSpeed ? 0 : nil
      return fix
    }
    // Each 3,600 s, and not at the end of an interval when the engine starts.
    var fixes = stride(from: 0.0, to: Self.start, by: 3_600).map { parked($0, at: 0) }
    fixes.append(parked(Self.start, at: 0))
    for time in stride(from: phase * step, to: 600, by: step) {
      var fix = ground.fix(Self.start + time, Self.way(time), 0, accuracy: 6)
      if reportsSpeed { (fix.speed, fix.course) = (min(2 * time, 15), 90) }
      fixes.append(fix)
    }
    fixes += stride(from: Self.start + 600, to: Self.start + 9_000, by: 3_600).map {
      parked($0, at: Self.way(600))
    }
    return fixes
  }

  @Test(
    "they leave when they drive off", arguments: [10.0, 30, 60], [false, true])
  func leave(step: Double, reportsSpeed: Bool) throws {
    for phase in [0.3, 0.6, 1] { try leave(step, phase, reportsSpeed) }
  }

  private func leave(_ step: Double, _ phase: Double, _ reportsSpeed: Bool) throws {
    var rules = Rules(fences: try FenceSet([ground.circle("depot", radius: 150)]))
    rules.visits = VisitRules()
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in day(every: step, phase: phase, reportsSpeed: reportsSpeed) {
      tracker.ingest(fix, into: &events)
    }
    var (exits, departures): ([(Timestamp, Double?)], [(Timestamp?, Double?)]) = ([], [])
    for event in events {
      switch event.statement {
      case .exit(_, let crossing, _): exits.append((event.time, crossing.timeUncertainty))
      case .visit(let visit): departures.append((visit.departure, visit.departureUncertainty))
      default: break
      }
    }
    let exit = try #require(exits.first)
    let crossed = Ground.time(Self.start + 7.5 + (150 - 56.25) / 15)
    #expect(exits.count == 1)
    #expect(abs(exit.0.seconds(since: crossed)) < max(10, 0.5 * step), "phase \(phase)")
    #expect(try #require(exit.1) < max(15, 0.6 * step))
    let departure = try #require(departures.first { $0.0 != nil })
    #expect(abs(try #require(departure.0).seconds(since: Ground.time(Self.start))) < 60)
    #expect(try #require(departure.1) < 90)
  }

  @Test("one that is farther away than it can have come, or stands there, held an old position")
  func wakes() throws {
    func wake(metres: Double, in seconds: Double, speed: Double?) -> Wake? {
      let held = [0, 3_600].map { ground.fix($0, 0, 0, accuracy: 6) }
      var fix = ground.fix(3_600 + seconds, metres, 0, accuracy: 6)
      fix.speed = speed
      let woken = Wake.next(nil, held[1], at: Ground.time(3_600), after: held[0])
      return Wake.next(woken, fix, at: Ground.time(3_600 + seconds), after: held[1])
    }
    #expect(wake(metres: 90, in: 1, speed: nil) == nil)
    #expect(wake(metres: 130, in: 10, speed: nil) == nil)
    #expect(wake(metres: 170, in: 10, speed: nil) != nil)
    #expect(wake(metres: 1_900, in: 60, speed: nil) == nil)
    #expect(wake(metres: 2_200, in: 60, speed: nil) != nil)
    #expect(wake(metres: 600, in: 60, speed: 8) == nil)
    #expect(wake(metres: 600, in: 60, speed: 0.2) != nil)
    // What is known of it is kept once the device is elsewhere.
    #expect(wake(metres: 5_000, in: 20, speed: 12)?.silence == Ground.time(0))
  }
}
