import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// Whatever comes in, the estimate stays one: finite numbers, covariances that can be, weights that
/// sum to 1.
@Suite("Motion under hostile input")
struct MotionHostileTests {
  static let seeds: [UInt64] = Array(1...12)
  private let ground = Ground()

  private func expectSane(_ motion: Motion, _ comment: Comment) throws {
    let mixture = try #require(motion.filter?.mixture, comment)
    let m = mixture.modes
    for lane in m.weight.indices {
      let numbers = [
        m.px[lane], m.py[lane], m.vx[lane], m.vy[lane], m.bx[lane], m.by[lane], m.pp[lane],
        m.pv[lane], m.pb[lane], m.vv[lane], m.vb[lane], m.bb[lane], m.weight[lane],
      ]
      #expect(numbers.allSatisfy { $0.isFinite }, comment)
      let (pp, vv, bb) = (Double(m.pp[lane]), Double(m.vv[lane]), Double(m.bb[lane]))
      let (pv, pb, vb) = (Double(m.pv[lane]), Double(m.pb[lane]), Double(m.vb[lane]))
      #expect(pp >= 0 && vv >= 0 && bb >= 0 && m.weight[lane] >= 0, comment)
      // Correlations within -1...1, but for rounding.
      #expect(pv * pv <= pp * vv * 1.001 + 1e-6, comment)
      #expect(pb * pb <= pp * bb * 1.001 + 1e-6, comment)
      #expect(vb * vb <= vv * bb * 1.001 + 1e-6, comment)
    }
    #expect(abs(m.weight.sum() - 1) < 1e-6, comment)
    #expect(mixture.outlier >= 0 && mixture.outlier <= 1, comment)
    let estimate = try #require(motion.estimate, comment)
    #expect(estimate.coordinate.isValid && estimate.sigma.isFinite, comment)
    #expect(estimate.velocity.length.isFinite && estimate.widest.isFinite, comment)
  }

  private func hostile(_ seconds: Double, _ random: inout SeededGenerator) -> Fix {
    let distances = [0.0, 1, 100, 10_000, 1e6, 1.9e7]
    let far = distances.randomElement(using: &random) ?? 0
    var fix = ground.fix(
      seconds, .random(in: -1...1, using: &random) * far,
      .random(in: -1...1, using: &random) * far)
    let accuracies = [1e-9, 0.1, 8, 200, 1e5, 1e9, 1e300, Double.leastNonzeroMagnitude]
    let speeds = [0.0, 1e-300, 0.5, 15, 900, 1e6, 1e300, Double.greatestFiniteMagnitude]
    fix.horizontalAccuracy = accuracies.randomElement(using: &random)
    fix.speed = Bool.random(using: &random) ? speeds.randomElement(using: &random) : nil
    fix.course = Bool.random(using: &random) ? .random(in: 0..<360, using: &random) : nil
    return fix
  }

  @Test("no accuracy, speed, distance or time step breaks the estimate", arguments: seeds)
  func anything(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var motion = Motion()
    var seconds = 0.0
    for index in 0..<400 {
      let steps = [1e-6, 0.01, 1, 60, 3_600, 86_400, 3.1e7]
      seconds += steps.randomElement(using: &random) ?? 1
      motion.ingest(hostile(seconds, &random))
      try expectSane(motion, "seed \(seed), fix \(index)")
    }
  }

  @Test(
    "one impossible number among good fixes does no lasting harm",
    arguments: [
      (accuracy: 1e-9, speed: nil), (accuracy: 1e9, speed: nil), (accuracy: 1e300, speed: nil),
      (accuracy: 8, speed: 1e6), (accuracy: 8, speed: 1e300), (accuracy: 1e300, speed: 1e300),
    ] as [(accuracy: Double, speed: Double?)])
  func oneBadNumber(accuracy: Double, speed: Double?) throws {
    var random = SeededGenerator(seed: 2)
    var noise = Noise(sigma: 5)
    var motion = Motion()
    for index in 0..<200 {
      let error = noise.next(Double(index) * 5, &random)
      var fix = ground.fix(Double(index) * 5, error.x, error.y)
      fix.speed = 0.1
      if index == 100 {
        (fix.horizontalAccuracy, fix.speed, fix.course) = (accuracy, speed, 90)
      }
      motion.ingest(fix)
      try expectSane(motion, "fix \(index)")
      guard index > 60 else { continue }
      let estimate = try #require(motion.estimate)
      #expect(ground.error(estimate, 0) < 25, "fix \(index)")
    }
  }

  @Test("a receiver that always claims nonsense is followed still", arguments: [1e-9, 1e9])
  func claims(accuracy: Double) throws {
    var random = SeededGenerator(seed: 3)
    var noise = Noise(sigma: 5)
    var motion = Motion()
    for index in 0..<2_000 {
      let error = noise.next(Double(index) * 5, &random)
      motion.ingest(ground.fix(Double(index) * 5, error.x, error.y, accuracy: accuracy))
    }
    try expectSane(motion, "at the end")
    let estimate = try #require(motion.estimate)
    #expect(ground.error(estimate, 0) < 30)
    #expect(estimate.sigma > 0.5, "no claim is believed below metres")
  }

  @Test("several fixes a second are no trouble", arguments: [0.1, 0.001, 1e-6])
  func fast(step: Double) throws {
    var random = SeededGenerator(seed: 4)
    var motion = Motion()
    for index in 0..<3_000 {
      let time = Double(index) * step
      motion.ingest(ground.fix(time, 10 * time + 0.5 * random.normal(), 0.5 * random.normal()))
    }
    try expectSane(motion, "at the end")
    #expect(ground.error(try #require(motion.estimate), 30_000 * step) < 25)
  }

  @Test("a year of fixes leaves the estimate as good as a day")
  func year() throws {
    var random = SeededGenerator(seed: 5)
    var noise = Noise(sigma: 5)
    var motion = Motion()
    var day: Estimate?
    for index in 0..<35_040 {
      let time = Double(index) * 900
      let error = noise.next(time, &random)
      motion.ingest(ground.fix(time, error.x, error.y))
      if index == 96 { day = motion.estimate }
    }
    try expectSane(motion, "at the end")
    let end = try #require(motion.estimate)
    #expect(ground.error(end, 0) < 15)
    let first = try #require(day)
    #expect(abs(end.sigma / first.sigma - 1) < 0.8)
  }

  @Test("an engine fed with anything says what can be, and can be written", arguments: seeds)
  func engine(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = Rules(
      fences: try FenceSet(
        Decision.allCases.map { ground.circle("\($0)", radius: 200, decision: $0) }))
    (rules.significantChanges, rules.visits) = (SignificantChangeRules(), VisitRules())
    var tracker = Tracker(rules: rules)
    var ledger = Ledger(rules)
    var seconds = 0.0
    for index in 0..<300 {
      let steps = [-30.0, 1e-6, 0.01, 1, 60, 3_600, 86_400, 3.1e7]
      seconds += steps.randomElement(using: &random) ?? 1
      var events: [Event] = []
      tracker.ingest(hostile(seconds, &random), into: &events)
      for event in events {
        #expect(event.coordinate.isValid, "seed \(seed): \(event)")
        #expect(event.horizontalAccuracy?.isFinite ?? true, "seed \(seed): \(event)")
        #expect(event.crossing?.timeUncertainty?.isFinite ?? true, "seed \(seed): \(event)")
        let confidence = event.crossing?.confidence ?? 1
        #expect(confidence >= 0 && confidence <= 1, "seed \(seed): \(event)")
        #expect(event.time <= event.decided, "seed \(seed): \(event)")
        ledger.add(event, "seed \(seed): \(event)")
      }
      guard index % 50 == 0 else { continue }
      let restored = try JSONDecoder().decode(Tracker.self, from: JSONEncoder().encode(tracker))
      let isSame = restored == tracker
      #expect(isSame, "seed \(seed), fix \(index)")
    }
  }
}
