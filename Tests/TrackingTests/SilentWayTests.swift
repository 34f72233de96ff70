import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// When an edge was crossed between fixes that are minutes apart.
@Suite("Crossings in silences")
struct SilentWayTests {
  private let ground = Ground()

  /// A rhythm learnt from a device that reported so often on the move; nil for one that is unknown.
  private func rhythm(_ step: Double?) -> Rhythm {
    var rhythm = Rhythm()
    guard let step else { return rhythm }
    let fixes = (0..<20).map { ground.fix(step * Double($0), 10 * step * Double($0)) }
    for (previous, fix) in zip(fixes, fixes.dropFirst()) {
      rhythm.learn(from: previous, to: fix, elapsed: step)
    }
    return rhythm
  }

  private func way(
    _ duration: Double, _ length: Double, from start: Double?, to end: Double?, error: Double = 8
  ) -> SilentWay {
    SilentWay(duration: duration, length: length, start: start, end: end, error: error)
  }

  @Test("the motion decides where a device went on, in a tunnel too")
  func goesOn() {
    #expect(way(300, 7_500, from: 25, to: 24).crossing(at: 0.3, rhythm(nil), besides: 0) == nil)
    #expect(way(90, 1_800, from: 20, to: 20).crossing(at: 0.5, rhythm(1), besides: 0) == nil)
    // It rested for most of the time, or it moved so slowly that it rested.
    #expect(way(300, 1_500, from: 25, to: 24).crossing(at: 0.3, rhythm(nil), besides: 0) != nil)
    #expect(way(4_800, 2_300, from: 0.4, to: 0.4).crossing(at: 0.3, rhythm(nil), besides: 0) != nil)
    // Nobody who walks goes for minutes without a report of a phone that reports on the move.
    #expect(way(300, 600, from: 2, to: 2).crossing(at: 0.3, rhythm(1), besides: 0) != nil)
    #expect(way(300, 7_500, from: nil, to: 25).crossing(at: 0.3, rhythm(nil), besides: 0) != nil)
  }

  @Test(
    "a device that reports on the move left at the end, any other at any time that leaves it the way"
  )
  func rests() throws {
    let reporting = try #require(
      way(3_600, 300, from: nil, to: 10).crossing(at: 0.1, rhythm(5), besides: 0))
    #expect(reporting.offset > 3_400 && reporting.sigma < 120)
    let unknown = try #require(
      way(3_600, 600, from: nil, to: nil).crossing(at: 0.1, rhythm(nil), besides: 0))
    #expect(abs(unknown.offset - 1_800) < 200 && unknown.sigma > 800 && unknown.sigma < 1_040)
    // Into a garage: it rode where the silence began.
    let ridden = try #require(
      way(189, 170, from: 16, to: nil).crossing(at: 0.1, rhythm(3), besides: 0))
    #expect(ridden.offset > 1 && ridden.offset < 3 && ridden.sigma < 1)
    // Wherever the edge is, there is time for the ways before it and behind it.
    let ways = try [0.0, 0.25, 0.5, 0.75, 1].map {
      try #require(way(600, 3_000, from: nil, to: nil).crossing(at: $0, rhythm(nil), besides: 0))
    }
    #expect(zip(ways, ways.dropFirst()).allSatisfy { $0.offset < $1.offset })
    for way in ways {
      #expect(way.offset > 0 && way.offset < 600 && way.sigma > 20 && way.sigma < 173)
    }
  }

  @Test("a way that is as short as the errors at its ends leaves the time to the motion")
  func shortWays() throws {
    let reporting = rhythm(5)
    #expect(
      way(3_600, 20, from: nil, to: 10, error: 21).crossing(at: 0.5, reporting, besides: 0) == nil)
    #expect(
      way(3_600, 20, from: nil, to: 10, error: 19).crossing(at: 0.5, reporting, besides: 0) != nil)
    // The speeds of one that does not report on the move are known of a longer way only.
    #expect(
      way(3_600, 1_000, from: nil, to: 2, error: 251).crossing(at: 0.5, rhythm(nil), besides: 0)
        == nil)
    #expect(
      way(3_600, 1_000, from: nil, to: 2, error: 249).crossing(at: 0.5, rhythm(nil), besides: 0)
        != nil)
  }

  @Test("a device that reports on the move was not off if it is heard again within a walk")
  func mayHaveBeenOff() throws {
    func sigma(_ duration: Double, _ length: Double, _ rhythm: Rhythm) throws -> Double {
      let silent = way(duration, length, from: nil, to: 10)
      let found = try #require(silent.crossing(at: 0.1, rhythm, besides: 0.3 * duration))
      #expect(found.offset > 0.45 * duration)
      return found.sigma
    }
    #expect(try sigma(3_600, 340, rhythm(5)) < 60)
    #expect(try sigma(36_000, 340, rhythm(5)) < 60)
    // Farther away, or after a short silence, it may have been.
    #expect(try sigma(3_600, 360, rhythm(5)) > 0.5 * 3_600)
    #expect(try sigma(500, 340, rhythm(5)) > 0.4 * 500)
    // One that does not report on the move: what the positions leave open.
    #expect(try sigma(3_600, 340, rhythm(nil)) == 0.3 * 3_600)
  }

  /// An enter or exit.
  private struct Passage {
    let fence: String
    let time: Timestamp
    let sigma: Double?

    init?(_ event: Event) {
      switch event.statement {
      case .enter(let fence, let crossing), .exit(let fence, let crossing, _):
        (self.fence, time, sigma) = (fence, event.time, crossing.timeUncertainty)
      default: return nil
      }
    }
  }

  private func crossings(_ fixes: [Fix], _ fences: [Fence]) throws -> [Passage] {
    let rules = Rules(fences: try FenceSet(fences))
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return events.compactMap { Passage($0) }
  }

  /// Straight on through a fence, with a fix every so many seconds, after half an hour of rest.
  @Test(
    "of an even drive it is where the drive was", arguments: [90.0, 120, 180, 300], [true, false])
  func evenDrive(step: Double, reportsSpeed: Bool) throws {
    let (speed, radius, rest) = (25.0, 5_000.0, 1_800.0)
    for phase in stride(from: 0.05, to: 1, by: 0.15) {
      let start = -20_000.0
      let fixes = stride(from: phase * step, to: rest + 2_400, by: step).map { time in
        let east = start + speed * max(0, time - rest)
        var fix = ground.fix(time, east, 40)
        if reportsSpeed { (fix.speed, fix.course) = (time > rest ? speed : 0, 90) }
        return fix
      }
      let found = try crossings(fixes, [ground.circle("town", radius: radius)])
      try #require(found.count == 2, "phase \(phase)")
      for (event, edge) in zip(found, [-radius, radius]) {
        let error = event.time.seconds(since: Ground.time(rest + (edge - start) / speed))
        let sigma = try #require(event.sigma)
        // Half of the step was usual.
        #expect(abs(error) < (reportsSpeed ? 0.05 : 0.25) * step, "phase \(phase): \(error) s")
        #expect(abs(error) < 2 * sigma && sigma < 0.6 * step, "\(error) ± \(sigma) s")
      }
    }
  }

  /// A van parks within an edge, and stands there for an hour.
  @Test("between two rests it is as likely at any time that leaves time for the way")
  func betweenRests() throws {
    var random = SeededGenerator(seed: 5)
    let (step, speed, length) = (900.0, 10.0, 3_000.0)
    var (within, count) = (0, 0)
    for _ in 0..<60 {
      let left = 7_200 + Double.random(in: 0..<step, using: &random)
      let fixes = stride(from: 0.0, to: 15_000, by: step).map { time in
        ground.fix(
          time, min(max(0, time - left) * speed, length) + random.normal(), random.normal())
      }
      let exit = try #require(try crossings(fixes, [ground.circle("depot", radius: 200)]).first)
      let error = exit.time.seconds(since: Ground.time(left + 200 / speed))
      let sigma = try #require(exit.sigma)
      count += 1
      within += abs(error) < 2 * sigma ? 1 : 0
    }
    #expect(within * 100 >= 92 * count, "\(within) of \(count), seed 5")
  }

  /// A car stops for a minute and a half, and one fix shows it there; true speeds make it rest.
  @Test("a stop that one fix shows is reported, whether the device reports its speed or not")
  func briefStop() throws {
    let stop = 90.0
    for phase in stride(from: 0.0, to: 60, by: 7.5) {
      for reportsSpeed in [true, false] {
        let fixes = stride(from: phase, to: 2_400, by: 60).map { time in
          let east = time < 1_200 ? min(0, (time - 1_200) * 11) : max(0, (time - 1_200 - stop) * 11)
          var fix = ground.fix(time, east, accuracy: 5)
          if reportsSpeed {
            fix.speed = time >= 1_200 && time <= 1_200 + stop ? 0 : 11
            if fix.speed != 0 { fix.course = 90 }
          }
          return fix
        }
        let inside = fixes.count { ground.place(0).isWithin(140, of: $0.coordinate) }
        try #require(inside >= 1)
        let found = try crossings(fixes, [ground.circle("shop", radius: 150)])
        #expect(found.count == 2, "phase \(phase), with speed: \(reportsSpeed)")
      }
    }
  }

  /// A phone wakes after an hour with coarse positions by an edge, and goes on across it.
  ///
  /// Another fence around the place where it was makes the window of the last fixes reach into the silence.
  @Test("other fences do not put a crossing into a silence", arguments: [false, true])
  func besideOthers(hasOther: Bool) throws {
    var fixes = (0..<12).map { ground.fix(10 * Double($0), 0, 2 * Double($0 % 2), accuracy: 10) }
    let woke = 4_300.0
    fixes += [0, 2.5].map { ground.fix(woke + $0, 276, accuracy: 65) }
    fixes.append(ground.fix(woke + 6.5, 297, accuracy: 30))
    fixes += (0..<20).map {
      var fix = ground.fix(woke + 14.5 + 8 * Double($0), 325 + 32 * Double($0), accuracy: 10)
      (fix.speed, fix.course) = (4, 90)
      return fix
    }
    var fences = [ground.circle("town", radius: 300)]
    if hasOther { fences.append(ground.circle("house", radius: 75)) }
    let exit = try #require(try crossings(fixes, fences).last { $0.fence == "town" })
    let time = exit.time.seconds(since: Ground.time(woke))
    #expect(time > -5 && time < 20, "\(time) s")
    #expect(try #require(exit.sigma) < 60)
  }
}
