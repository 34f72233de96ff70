import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Estimation

@Suite("What claims of accuracy are worth")
struct AccuracyScaleTests {
  private let ground = Ground()

  /// The fixes of a device with errors of a sigma along one axis and with a claim, at its place at a
  /// second.
  private func fixes(
    sigma: Double, claim: Double?, seconds: Double, every step: Double = 10, seed: UInt64 = 1,
    speed: Double? = nil, _ place: (Double) -> (east: Double, north: Double) = { _ in (0, 0) }
  ) -> [Fix] {
    var (random, noise) = (SeededGenerator(seed: seed), Noise(sigma: sigma))
    return stride(from: 0, to: seconds, by: step).map { second in
      let (error, here) = (noise.next(second, &random), place(second))
      var fix = ground.fix(second, here.east + error.x, here.north + error.y, accuracy: claim)
      (fix.speed, fix.course) = (speed, speed.map { _ in 90 })
      return fix
    }
  }

  private func motion(_ fixes: [Fix]) -> Motion {
    var motion = Motion()
    for fix in fixes { motion.ingest(fix) }
    return motion
  }

  @Test(
    "a still device whose errors are 2.5 times its claims is found out", arguments: UInt64(1)...5)
  func tooSmall(seed: UInt64) {
    // A claim of 8 m stands for a sigma of 5.2 m along one axis.
    let motion = motion(fixes(sigma: 13, claim: 8, seconds: 2 * 3_600, seed: seed))
    let factor = motion.accuracyFactor(ofClaim: 8)
    #expect((1.7...3.3).contains(factor), "seed \(seed): \(factor)")
    #expect(motion.accuracyFactor(ofClaim: 65) == 1, "wifi was not seen")
  }

  @Test("it is found out from fixes up to two minutes apart", arguments: [60.0, 70, 90, 115])
  func sparse(step: Double) {
    let motion = motion(fixes(sigma: 13, claim: 8, seconds: 8 * 3_600, every: step))
    #expect(motion.accuracyFactor(ofClaim: 8) > 1.7, "every \(step) s")
  }

  @Test("without a claim they are found out in minutes, and twice the guess at most is believed")
  func unstated() {
    let motion = motion(fixes(sigma: 45, claim: nil, seconds: 900))
    let factor = motion.accuracyFactor(ofClaim: MotionModel.unknownAccuracy)
    #expect((1.7...2.02).contains(factor), "\(factor)")
  }

  @Test(
    "without a claim they are found out minutes after a ride that reported no speed",
    arguments: UInt64(1)...5)
  func arrival(seed: UInt64) {
    let arrived = fixes(sigma: 45, claim: nil, seconds: 2_100, seed: seed) { second in
      (min(12 * second, 12 * 1_200), 0)
    }
    let factor = motion(arrived).accuracyFactor(ofClaim: MotionModel.unknownAccuracy)
    #expect(factor > 1.5, "seed \(seed): \(factor)")
  }

  @Test(
    "a stroll, a drift and a swing without claims are no errors", arguments: [5.0, 10, 30, 60])
  func unstatedMotions(step: Double) {
    let ways: [(name: String, place: (Double) -> (Double, Double))] = [
      ("walk", { (1.4 * $0, 0) }), ("stroll", { (0.9 * $0, 0) }),
      ("slow stroll", { (0.5 * $0, 0) }), ("drift", { (0.1 * $0, 0) }),
      ("swing", { (25 * cos(0.7 * sin($0 / 95)), 25 * sin(0.7 * sin($0 / 95))) }),
    ]
    for way in ways {
      let moving = fixes(sigma: 4, claim: nil, seconds: 3_600, every: step, way.place)
      let factor = motion(moving).accuracyFactor(ofClaim: MotionModel.unknownAccuracy)
      #expect(factor < 1.25, "\(way.name), every \(step) s: \(factor)")
    }
  }

  /// What is seen of errors that are new with every fix.
  private func whiteness(_ fixes: [Fix], every step: Double) -> Double {
    var scale = AccuracyScale()
    let frame = LocalFrame(origin: ground.place(0, 0))
    for fix in fixes {
      let place = frame.vector(to: fix.coordinate)
      let time = fix.time ?? Ground.time(0)
      scale.learn(from: FixMeasurement(fix, at: time, place: place, on: frame), elapsed: step)
    }
    return Double(scale.spell.white ?? 0)
  }

  @Test("errors that are new with every fix are seen", arguments: [5.0, 10, 20])
  func white(step: Double) {
    for seed in 1...5 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let fixes = stride(from: 0, to: 1_200, by: step).map { second in
        ground.fix(
          second, 8 * random.normal(), 8 * random.normal(),
          accuracy: 8 * AccuracyRadius.claimedSigmas)
      }
      let found = whiteness(fixes, every: step)
      #expect((0.4...1).contains(found), "seed \(seed): \(found)")
      #expect(whiteness(Array(fixes.prefix(Int(100 / step))), every: step) == 0, "too few")
    }
  }

  @Test("errors that are new with every fix are remembered on the way, but not after a silence")
  func whiteMemory() {
    let claim = 8 * AccuracyRadius.claimedSigmas
    let frame = LocalFrame(origin: ground.place(0, 0))
    func learnt(
      _ silence: Double, speed: Double?, claim: Double? = claim, east: Double = 0
    ) -> Double {
      var (scale, random) = (AccuracyScale(), SeededGenerator(seed: 1))
      // A fix without a claim counts as one of 25 m.
      let sigma = claim == nil ? 16.0 : 8
      func take(_ second: Double, elapsed: Double, speed: Double? = nil, east: Double = 0) {
        var fix = ground.fix(
          second, east + sigma * random.normal(), sigma * random.normal(), accuracy: claim)
        (fix.speed, fix.course) = (speed, speed.map { _ in 90 })
        let place = frame.vector(to: fix.coordinate)
        let measurement = FixMeasurement(
          fix, at: Ground.time(second), place: place, on: frame)
        scale.learn(from: measurement, elapsed: elapsed)
      }
      for number in 0..<120 { take(Double(number) * 10, elapsed: 10) }
      #expect(scale.whiteVariance(sigma: 8) > 25, "of 64 m²")
      take(1_200 + silence, elapsed: silence, speed: speed, east: east)
      return scale.whiteVariance(sigma: 8)
    }
    #expect(learnt(10, speed: nil) > 25)
    #expect(learnt(10, speed: 14) > 25)
    #expect(learnt(121, speed: nil) == 0)
    #expect(learnt(10, speed: nil, claim: nil) > 25)
    #expect(learnt(10, speed: nil, claim: nil, east: 2_000) == 0, "elsewhere")
  }

  @Test("a state with impossible white errors gives possible ones")
  func impossibleWhiteness() {
    for white in [-1, .nan, 0, nil] as [Float?] {
      #expect(AccuracyScale(spell: Spell(white: white)).whiteVariance(sigma: 8) == 0)
    }
    #expect(AccuracyScale(spell: Spell(white: 1e30)).whiteVariance(sigma: 8) == 64)
  }

  @Test("slow errors and motions are none of them", arguments: [1.0, 5, 10, 20, 30])
  func slow(step: Double) {
    let ways: [(name: String, place: (Double) -> (Double, Double))] = [
      ("rest", { _ in (0, 0) }), ("walk", { (1.4 * $0, 0) }), ("ride", { (14 * $0, 0) }),
      ("drift", { (0.1 * $0, 0) }),
      ("swing", { (25 * cos(0.7 * sin($0 / 95)), 25 * sin(0.7 * sin($0 / 95))) }),
    ]
    for way in ways {
      for seed in 1...5 as ClosedRange<UInt64> {
        let fixes = fixes(
          sigma: 8, claim: 8 * AccuracyRadius.claimedSigmas, seconds: 1_200, every: step,
          seed: seed, way.place)
        let found = whiteness(fixes, every: step)
        // The most of 20 minutes: over long steps slow errors step nearly as far.
        #expect(found < (step < 20 ? 0.2 : 0.3), "\(way.name), seed \(seed): \(found)")
      }
    }
  }

  @Test("what was learnt of a guess at rest counts less on the way; a claim counts the same")
  func movingShare() {
    let scale = AccuracyScale(logarithms: SIMD2(0.7, 0))
    let guess = FixMeasurement(
      time: .init(nanoseconds: 0), x: 0, y: 0, accuracy: FixMeasurement.guessedAccuracy)
    var claim = guess
    claim.accuracy = MotionModel.unknownAccuracy
    #expect(!guess.isAccuracyStated && claim.isAccuracyStated)
    #expect(abs(scale.movingShare(of: guess) - Float(exp(-0.35))) < 1e-5)
    #expect(scale.movingShare(of: claim) == 1)
    #expect(AccuracyScale().movingShare(of: guess) == 1)
  }

  @Test("an honest claim is believed, and one that is too large too", arguments: UInt64(1)...5)
  func honest(seed: UInt64) {
    let honest = motion(fixes(sigma: 5.2, claim: 8, seconds: 4 * 3_600, seed: seed))
    #expect(honest.accuracyFactor(ofClaim: 8) < 1.25, "seed \(seed)")
    let careful = motion(fixes(sigma: 2, claim: 8, seconds: 4 * 3_600, seed: seed))
    #expect(careful.accuracyFactor(ofClaim: 8) == 1, "seed \(seed)")
  }

  @Test("a walk, a ride, a drift and a swing at anchor are no errors", arguments: UInt64(1)...3)
  func motions(seed: UInt64) {
    let ways: [(name: String, speed: Double?, place: (Double) -> (Double, Double))] = [
      ("walk", nil, { (1.4 * $0, 0) }),
      ("ride", 15, { (15 * $0, 0) }),
      ("drift", nil, { (0.1 * $0, 0) }),
      ("round trip on foot", nil, { (300 * sin($0 / 214), 300 * cos($0 / 214)) }),
      ("swing", nil, { (25 * cos(0.7 * sin($0 / 95)), 25 * sin(0.7 * sin($0 / 95))) }),
    ]
    for way in ways {
      let moving = fixes(
        sigma: 5.2, claim: 8, seconds: 3_600, every: 5, seed: seed, speed: way.speed, way.place)
      let factor = motion(moving).accuracyFactor(ofClaim: 8)
      #expect(factor < 1.25, "\(way.name), seed \(seed): \(factor)")
    }
  }

  @Test("few fixes prove nothing")
  func few() {
    let minutes = motion(fixes(sigma: 13, claim: 8, seconds: 140))
    #expect(minutes.accuracyFactor(ofClaim: 8) == 1)
    let sparse = motion(fixes(sigma: 13, claim: 8, seconds: 86_400, every: 130))
    #expect(sparse.accuracyFactor(ofClaim: 8) == 1)
  }

  @Test("a factor is never above 4.1, whatever the fixes do", arguments: UInt64(1)...20)
  func bounds(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var motion = Motion()
    var second = 0.0
    for _ in 0..<2_000 {
      second += [0.1, 1, 7, 60, 500].randomElement(using: &random)!
      let far = [1.0, 30, 1e4, 1e7].randomElement(using: &random)!
      motion.ingest(
        ground.fix(
          second, .random(in: -far...far, using: &random),
          accuracy: .random(in: 0...200, using: &random)))
      for claim in [8.0, 65] {
        let factor = motion.accuracyFactor(ofClaim: claim)
        #expect((1...4.1).contains(factor), "seed \(seed): \(factor)")
      }
    }
  }

  @Test("a state with an impossible logarithm gives a possible factor")
  func impossible() {
    let scale = AccuracyScale(logarithms: SIMD2(1e30, -1e30))
    #expect((4...4.1).contains(scale.factor(ofClaim: 8)))
    #expect(scale.factor(ofClaim: 65) == 1)
  }

  @Test("a checkpoint of 0.2.0, which has no factors, is read")
  func checkpoint() throws {
    let motion = motion(fixes(sigma: 13, claim: 8, seconds: 3_600))
    let written = try JSONEncoder().encode(motion)
    #expect(try JSONDecoder().decode(Motion.self, from: written) == motion)
    var text = try #require(String(data: written, encoding: .utf8))
    let key = try Regex(#""accuracy":\{"#)
    #expect(text.contains(key))
    text.replace(key, with: #""unknown":{"#)
    let old = try JSONDecoder().decode(Motion.self, from: Data(text.utf8))
    #expect(old.accuracyFactor(ofClaim: 8) == 1)
  }
}
