import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("The fixes that date a crossing")
struct SmoothingWindowTests {
  private let ground = Ground()

  private func tracker(radius: Double) throws -> Tracker {
    Tracker(rules: Rules(fences: try FenceSet([ground.circle("home", radius: radius)])))
  }

  @Test("begin where an edge comes near, and are none where none is")
  func near() throws {
    var (tracker, events) = (try tracker(radius: 100), [Event]())
    for second in 0..<300 {
      tracker.ingest(ground.fix(Double(second), -3_000 + 10 * Double(second)), into: &events)
      #expect(tracker.motion.window.isEmpty == tracker.fences.edges.isEmpty, "\(second) s")
    }
    for second in 300..<600 {
      tracker.ingest(ground.fix(Double(second), 10 * Double(second - 300)), into: &events)
    }
    #expect(tracker.motion.window.isEmpty)
  }

  @Test(
    "hold ten minutes beside an edge, thinned, and no more than their limit", arguments: [1.0, 30])
  func thinned(step: Double) throws {
    var (tracker, events) = (try tracker(radius: 100), [Event]())
    var random = SeededGenerator(seed: 1)
    for number in 0..<2_000 {
      let time = step * Double(number)
      tracker.ingest(
        ground.fix(time, 98 + 2 * random.normal(), 2 * random.normal()), into: &events)
      let kept = tracker.motion.window.measurements
      #expect(kept.count <= 80)
      #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.time < $1.time })
    }
    let kept = tracker.motion.window.measurements
    let span = try #require(kept.last).time.seconds(since: kept[0].time)
    #expect(span >= min(480, 40 * step))
    #expect(tracker.motion.isValid(at: kept.last?.time))
  }

  @Test("hold no more than their limit when fixes come late")
  func late() throws {
    var (tracker, events) = (try tracker(radius: 100), [Event]())
    for number in 0..<400 {
      // Every other one comes after the next.
      let time = 20 * Double(number.isMultiple(of: 2) ? number + 1 : number - 1)
      tracker.ingest(ground.fix(time, 98, 0), into: &events)
      let last = try #require(tracker.lastTime)
      #expect(tracker.motion.isValid(at: last), "fix \(number)")
    }
    #expect(tracker.counts.reordered > 100)
    #expect(tracker.motion.window.measurements.count <= 80)
  }

  @Test("are not filtered again before the second filter: the end of the path is the same")
  func end() throws {
    // None is thinned.
    var (tracker, events) = (try tracker(radius: 100), [Event]())
    var random = SeededGenerator(seed: 7)
    var shared = 0
    for number in 0..<300 {
      tracker.ingest(
        ground.fix(30 * Double(number), 98 + random.normal(), random.normal()), into: &events)
      let window = tracker.motion.window
      guard window.middlePlace > 0 else { continue }
      let middle = window.measurements[window.middlePlace].time
      let end = tracker.motion.smoothedPath(since: middle.advanced(bySeconds: 1))
      #expect(end == tracker.motion.smoothedPath().suffix(end.count), "fix \(number)")
      #expect(end.first?.time == middle)
      shared += 1
    }
    #expect(shared > 100)
  }

  @Test("late ones before the second filter are in the path")
  func lateBeforeMiddle() throws {
    var (tracker, events) = (try tracker(radius: 100), [Event]())
    var time = 0.0
    while tracker.motion.window.measurements.count < 48 {
      tracker.ingest(ground.fix(time, 98, 0), into: &events)
      time += 30
      guard time < 3_000 else { break }
    }
    tracker.ingest(ground.fix(time + 30, 98, 0), into: &events)
    #expect(tracker.motion.window.middlePlace == 48)
    tracker.ingest(ground.fix(time, 98, 0), into: &events)
    #expect(tracker.lastDefect == nil)
    #expect(tracker.motion.window.middlePlace == 0)
    #expect(tracker.motion.window.measurements.count == 50)
    #expect(tracker.motion.smoothedPath().count == 50)
  }

  @Test("of a device that moves on are the last ones")
  func moving() throws {
    // Within a fence of 10 km on the way along its edge.
    var (tracker, events) = (try tracker(radius: 10_000), [Event]())
    for second in 0..<600 {
      let angle = Double(second) * 12 / 9_995
      tracker.ingest(
        ground.fix(Double(second), 9_995 * cosine(angle), 9_995 * sine(angle)), into: &events)
    }
    #expect(tracker.motion.window.measurements.count <= 32)
  }

  @Test(
    "give the path of a filter that runs over them once more", arguments: [1.0, 4, 30],
    [100.0, 10_000])
  func passed(step: Double, radius: Double) throws {
    var (tracker, events) = (try tracker(radius: radius), [Event]())
    var random = SeededGenerator(seed: 5)
    var (angle, place, waiting, count) = (0.0, (radius, 0.0), Fix?.none, 0)
    for number in 0..<900 {
      let time = step * Double(number)
      // It repeats its position now and then, and now and then one comes after the next.
      if number % 40 > 5 {
        angle += 12 * step / radius
        let distance = radius + 3 * random.normal()
        place = (distance * cosine(angle), distance * sine(angle))
      }
      let fix = ground.fix(time, place.0, place.1)
      if number % 71 == 70 {
        waiting = fix
        continue
      }
      tracker.ingest(fix, into: &events)
      if let late = waiting { tracker.ingest(late, into: &events) }
      waiting = nil
      var plain = tracker.motion
      plain.window.leavePath()
      for age in [2.5, 11, 40] {
        let since = fix.time?.advanced(bySeconds: -age * step)
        let path = tracker.motion.smoothedPath(since: since)
        #expect(path == plain.smoothedPath(since: since), "fix \(number)")
        count += path.count
      }
      #expect(tracker.motion.smoothedPath() == plain.smoothedPath(), "fix \(number)")
    }
    #expect(count > 900)
    #expect(tracker.counts.reordered > 5)
  }

  private func cosine(_ radians: Double) -> Double {
    Direction(degrees: radians * 57.29577951).cosine
  }
  private func sine(_ radians: Double) -> Double { Direction(degrees: radians * 57.29577951).sine }
}
