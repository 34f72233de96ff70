import Foundation
import Geodesy
import TestSupport
import Testing
@testable import Estimation

@Suite("how much fixes jump about")
struct JitterTests {
  /// Variance seen over a way given by its place at a second, with white noise along each axis.
  private func variance(
    sigma: Double, seconds: Int, seed: UInt64 = 1, step: Double = 1, _ place: (Double) -> Double
  ) -> Double {
    var generator = SeededGenerator(seed: seed)
    var jitter = Jitter()
    var last: (x: Double, y: Double)?
    for number in 0..<seconds {
      // Twelve evenly distributed numbers are nearly normal, with a variance of 1.
      let noise = {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
      }
      let here = (x: place(Double(number) * step) + sigma * noise(), y: sigma * noise())
      if let last {
        jitter.ingest(
          x: here.x - last.x, y: here.y - last.y, elapsed: step,
          loss: 1 - exp(-step / Jitter.memory), limit: 1e6)
      }
      last = here
    }
    return jitter.variance
  }

  @Test("white noise is seen at rest and under way alike", arguments: UInt64(1)...5)
  func white(seed: UInt64) {
    for speed in [0.0, 1.4, 30] {
      let seen = variance(sigma: 5, seconds: 600, seed: seed) { $0 * speed }
      #expect((12...45).contains(seen), "seed \(seed), \(speed) m/s: \(seen)")
    }
  }

  @Test("motion without noise is none: even and braking")
  func motion() {
    #expect(variance(sigma: 0, seconds: 100) { $0 * 30 } < 1e-9)
    #expect(variance(sigma: 0, seconds: 20) { $0 * 20 - $0 * $0 / 2 } < 1e-9)
  }

  @Test("fixes far apart in time say nothing")
  func sparse() {
    #expect(variance(sigma: 5, seconds: 100, step: 10) { $0 } == 0)
  }

  @Test("no leap counts for more than its limit")
  func leap() {
    var jitter = Jitter()
    for _ in 0..<10 { jitter.ingest(x: 1, y: 0, elapsed: 1, loss: 0.03, limit: 16) }
    jitter.ingest(x: 50_000, y: 0, elapsed: 1, loss: 0.03, limit: 16)
    #expect(jitter.variance > 0 && jitter.variance <= 16)
  }

  /// What second differences show of errors with a correlation from one fix to the next.
  private func jitter(correlated: Double) -> Jitter {
    Jitter(count: 10, variance: 100 * (1 - correlated) * (3 - correlated) / 3)
  }

  @Test(
    "errors that are correlated for less than five seconds count as often as their mean shows",
    arguments: [0, 0.2, 0.5, 0.6])
  func independent(correlated: Double) {
    let found = jitter(correlated: correlated).independent(100, elapsed: 1)
    #expect(abs(found - 100 * (1 + correlated) / (1 - correlated)) < 1e-9)
  }

  @Test(
    "their correlation time is five seconds at most, and half of that where fixes do not show it")
  func independentBounds() {
    #expect(jitter(correlated: 1).independent(100, elapsed: 1) == 1_000)
    #expect(jitter(correlated: 1).independent(100, elapsed: 2) == 500)
    #expect(jitter(correlated: 1).independent(100, elapsed: 4) == 125)
    #expect(Jitter().independent(100, elapsed: 1) == 500)
    // Fixes show more of it than was seen before.
    #expect(Jitter(count: 10, variance: 200).independent(100, elapsed: 1) == 100)
    #expect(jitter(correlated: 1).independent(100, elapsed: 5) == 100)
    #expect(jitter(correlated: 1).independent(100, elapsed: 600) == 100)
  }
}
