import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Motion: late fixes are put in order")
struct LateFixTests {
  static let seeds: [UInt64] = Array(1...20)
  private let ground = Ground()

  private func walk(_ count: Int, every step: Double, _ random: inout SeededGenerator) -> [Fix] {
    var noise = Noise(sigma: 5)
    return (0..<count).map { index in
      let time = Double(index) * step
      let error = noise.next(time, &random)
      var fix = ground.fix(time, 1.2 * time + error.x, error.y)
      if index % 3 == 0 { (fix.speed, fix.course) = (1.2, 90) }
      return fix
    }
  }

  /// Takes fixes as they come, like the engine: one that is not later than the last is late.
  private func run(_ fixes: [Fix]) -> (motion: Motion, defects: [Defect?]) {
    var motion = Motion()
    var newest: Timestamp?
    let defects = fixes.map { fix in
      if let time = fix.time, let last = newest, time <= last { return motion.insert(fix) }
      motion.ingest(fix)
      newest = fix.time
      return nil
    }
    return (motion, defects)
  }

  @Test("in whatever order a window comes, its estimate is that of order", arguments: seeds)
  func shuffled(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fixes = walk(120, every: 2, &random)
    var disordered = [fixes[0]]
    var start = 1
    while start < fixes.count {
      let end = min(fixes.count, start + Int.random(in: 1...14, using: &random))
      disordered += fixes[start..<end].shuffled(using: &random)
      start = end
    }
    let (motion, defects) = run(disordered)
    #expect(defects.allSatisfy { $0 == nil }, "seed \(seed)")
    let isSame = motion.estimate == run(fixes).motion.estimate
    #expect(isSame, "seed \(seed)")
  }

  @Test("at least the last 16 fixes can be overtaken, and not more than 32")
  func window() {
    var random = SeededGenerator(seed: 30)
    for count in 40...80 {
      let fixes = walk(count, every: 2, &random)
      for back in [2, 15, 34] {
        var motion = run(fixes).motion
        var late = fixes[count - back]
        late.time = late.time?.advanced(bySeconds: 1)
        #expect(motion.insert(late) == (back > 33 ? .outOfOrder : nil), "\(count), \(back)")
      }
    }
  }

  @Test("a fix of a time that is known is a duplicate, or one too many")
  func knownTime() {
    var random = SeededGenerator(seed: 31)
    let fixes = walk(60, every: 2, &random)
    var motion = run(fixes).motion
    let before = motion.estimate
    for fix in fixes.suffix(16) {
      #expect(motion.insert(fix) == .duplicate)
      var other = fix
      other.coordinate = ground.place(5_000)
      #expect(motion.insert(other) == .sameTime)
    }
    let isSame = motion.estimate == before
    #expect(isSame)
  }

  @Test("a fix from before the first is put before it")
  func beforeFirst() throws {
    var random = SeededGenerator(seed: 32)
    let fixes = walk(10, every: 5, &random)
    let (motion, defects) = run([fixes[3]] + fixes[..<3] + fixes[4...])
    #expect(defects.allSatisfy { $0 == nil })
    let (late, ordered) = (
      try #require(motion.estimate), try #require(run(fixes).motion.estimate)
    )
    #expect(late.coordinate.distance(to: ordered.coordinate) < 0.001)
    #expect(abs(late.sigma - ordered.sigma) < 0.001)
  }

  @Test("a fix from before a new clock does not belong to what came after it")
  func beforeBreak() {
    var motion = Motion()
    motion.ingest(ground.fix(0, 0))
    motion.restart(at: Ground.time(10))
    motion.ingest(ground.fix(10, 90_000))
    #expect(motion.insert(ground.fix(9, 0)) == .outOfOrder)
    #expect(motion.insert(ground.fix(10, 90_000)) == .duplicate)
    motion.ingest(ground.fix(12, 90_000))
    #expect(motion.insert(ground.fix(11, 90_001)) == nil)
  }

  @Test("ever more late fixes are not remembered for ever")
  func bounded() {
    var motion = Motion()
    motion.ingest(ground.fix(0, 0))
    motion.ingest(ground.fix(60, 0))
    for index in 1...500 {
      #expect(motion.insert(ground.fix(Double(index) * 0.1, Double(index % 7))) == nil)
      #expect(motion.memory <= MotionModel.recentCount)
    }
    #expect(motion.insert(ground.fix(0.05, 0)) == .outOfOrder)
  }

  @Test("what a late fix says of the fences is said with the next one, and not before")
  func events() throws {
    let rules = Rules(fences: try FenceSet([ground.circle("a", radius: 100)]))
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for time in stride(from: 0.0, to: 300, by: 5) {
      tracker.ingest(ground.fix(time, -600 + 2 * time), into: &events)
    }
    let count = events.count
    tracker.ingest(ground.fix(293, -14), into: &events)
    #expect(events.count == count && tracker.counts.reordered == 1)
    tracker.ingest(ground.fix(300, 0), into: &events)
    tracker.ingest(ground.fix(305, 10), into: &events)
    #expect(events.map(\.letter) == ["n", "e"])
    #expect(tracker.lastTime == Ground.time(305))
  }
}
