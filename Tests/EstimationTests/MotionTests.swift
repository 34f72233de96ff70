import Geodesy
import TestSupport
import Testing

@testable import Estimation

@Suite("Motion: where a device is, from all its fixes")
struct MotionTests {
  private let ground = Ground()

  /// A device that rests at the origin, seen for a while.
  private func resting(
    _ seconds: Double, every step: Double, accuracy: Double? = 8, _ random: inout SeededGenerator
  ) -> Motion {
    var motion = Motion()
    var noise = Noise(sigma: (accuracy ?? 8) / 1.51)
    for time in stride(from: 0, through: seconds, by: step) {
      let error = noise.next(time, &random)
      motion.ingest(ground.fix(time, error.x, error.y, accuracy: accuracy))
    }
    return motion
  }

  @Test(
    "a ship that reports every 15 minutes stays as well known as its fixes",
    arguments: [true, false])
  func sparse(tellsSpeed: Bool) throws {
    var motion = Motion()
    for number in 0..<40 {
      var fix = ground.fix(Double(number) * 900, Double(number) * 3_600, accuracy: 8)
      if tellsSpeed { (fix.speed, fix.course) = (4, 90) }
      motion.ingest(fix)
      let estimate = try #require(motion.estimate)
      #expect(estimate.horizontalAccuracy < 50, "fix \(number)")
    }
  }

  @Test("a speed without a course is no standstill")
  func unknownCourse() throws {
    var motion = Motion()
    for second in 0..<60 {
      var fix = ground.fix(Double(second), Double(second) * 6.5, accuracy: 10)
      fix.speed = 6.5
      motion.ingest(fix)
      let estimate = try #require(motion.estimate)
      #expect(ground.error(estimate, Double(second) * 6.5) < 6, "at \(second) s")
    }
  }

  @Test("a device that was carried off unseen is believed to be there after half an hour")
  func carriedOff() throws {
    var random = SeededGenerator(seed: 11)
    var noise = Noise(sigma: 5)
    var motion = resting(600, every: 10, &random)
    for time in stride(from: 610.0, through: 3_000, by: 10) {
      let error = noise.next(time, &random)
      motion.ingest(ground.fix(time, 400 + error.x, error.y, accuracy: 8))
      let estimate = try #require(motion.estimate)
      if time < 900 { #expect(ground.error(estimate, 0) < 100, "at \(time) s") }
      if time > 2_600 { #expect(ground.error(estimate, 400) < 40, "at \(time) s") }
    }
  }

  @Test("a first fix is as good as it claims")
  func firstFix() throws {
    var motion = Motion()
    #expect(motion.estimate == nil)
    let seen = motion.see(ground.fix(0, 0, accuracy: 15))
    let estimate = try #require(seen)
    #expect(ground.error(estimate, 0) < 0.001)
    #expect(estimate.horizontalAccuracy > 10 && estimate.horizontalAccuracy < 20)
  }

  @Test("the longer a device rests the better its place is known, but fixes are no fresh evidence")
  func rest() throws {
    // The medians of several devices: one whose errors lie on one side for minutes may drift.
    var sigmas: [Double] = []
    for seconds in [0.0, 10, 100, 1_000, 10_000] {
      var all: [Double] = []
      for seed in 1...9 as ClosedRange<UInt64> {
        var random = SeededGenerator(seed: seed)
        let motion = resting(seconds, every: 1, &random)
        let estimate = try #require(motion.estimate)
        #expect(ground.error(estimate, 0) < 4 * estimate.sigma + 1, "seed \(seed), \(seconds) s")
        if seconds >= 100 { #expect(estimate.stillness > 0.95, "seed \(seed), \(seconds) s") }
        all.append(estimate.sigma)
      }
      sigmas.append(all.sorted()[4])
    }
    for (a, b) in zip(sigmas, sigmas.dropFirst()) { #expect(b < a * 1.05) }
    // Independent fixes would give a tenth after 100 and a hundredth after 10,000.
    #expect(sigmas[2] > sigmas[0] * 0.3)
    #expect(sigmas[4] > sigmas[0] * 0.05 && sigmas[4] < sigmas[0] * 0.7)
  }

  @Test(
    "one wild fix a second after the last moves nothing, whatever it claims",
    arguments: [100.0, 200, 1_000, 20_000])
  func wildFix(distance: Double) throws {
    var random = SeededGenerator(seed: UInt64(distance))
    var motion = resting(600, every: 1, &random)
    var noise = Noise(sigma: 5)
    for index in 1...20 {
      let error = noise.next(600 + Double(index), &random)
      let isWild = index == 1
      let seen = motion.see(
        ground.fix(
          600 + Double(index), isWild ? distance : error.x, error.y, accuracy: isWild ? 2 : 8))
      let estimate = try #require(seen)
      #expect(ground.error(estimate, 0) < 20, "seed \(random.seed), fix \(index)")
    }
  }

  @Test(
    "a device that has gone in a silence is believed to be where it is",
    arguments: [150.0, 600, 2_000, 50_000], [30.0, 300, 1_200, 80_000])
  func displacement(distance: Double, gap: Double) throws {
    var random = SeededGenerator(seed: 3)
    var motion = resting(600, every: 10, &random)
    var noise = Noise(sigma: 5)
    for time in stride(from: 0.0, through: 300, by: 10) {
      let error = noise.next(time, &random)
      motion.ingest(ground.fix(600 + gap + time, distance + error.x, error.y))
    }
    #expect(ground.error(try #require(motion.estimate), distance) < 20)
  }

  @Test(
    "trains and aircraft are followed, with and without their speed",
    arguments: [30.0, 83, 250], [1.0, 10, 60])
  func fast(speed: Double, step: Double) throws {
    for tellsSpeed in [true, false] {
      var random = SeededGenerator(seed: 5)
      var motion = Motion()
      var noise = Noise(sigma: 5)
      var worst = 0.0
      for time in stride(from: 0.0, through: 1_800, by: step) {
        let error = noise.next(time, &random)
        var fix = ground.fix(time, speed * time + error.x, error.y)
        if tellsSpeed {
          // The course along a geodesic is not the same everywhere.
          let ahead = ground.place(speed * (time + 1))
          fix.speed = speed
          fix.course = GeodesicLine(from: ground.place(speed * time), to: ahead).bearing
        }
        let seen = motion.see(fix)
        let estimate = try #require(seen)
        guard time >= 300 else { continue }
        worst = max(worst, ground.error(estimate, speed * time))
      }
      #expect(worst < 40, "\(speed) m/s every \(step) s, speed told: \(tellsSpeed)")
    }
  }

  @Test(
    "a device that tells neither accuracy nor speed is followed all the same", arguments: [1.0, 30])
  func bare(step: Double) throws {
    var random = SeededGenerator(seed: 6)
    var motion = resting(1_200, every: step, accuracy: nil, &random)
    let still = try #require(motion.estimate)
    #expect(still.stillness > 0.9 && ground.error(still, 0) < 15)
    var noise = Noise(sigma: 5)
    var estimate: Estimate?
    for time in stride(from: step, through: 600, by: step) {
      let error = noise.next(time, &random)
      estimate = motion.see(
        ground.fix(1_200 + time, 1.4 * time + error.x, error.y, accuracy: nil))
    }
    let walking = try #require(estimate)
    #expect(walking.stillness < 0.1 && ground.error(walking, 840) < 25)
  }

  @Test("a receiver that repeats its last place says nothing new")
  func frozen() throws {
    var random = SeededGenerator(seed: 7)
    var motion = resting(60, every: 1, &random)
    let before = try #require(motion.estimate)
    var estimate: Estimate?
    for time in 61...120 { estimate = motion.see(ground.fix(Double(time), 6, 6)) }
    #expect(try #require(estimate).sigma > before.sigma * 0.8)
  }
}
