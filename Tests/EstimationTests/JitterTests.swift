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

  @Test("white noise is told at rest and under way alike", arguments: UInt64(1)...5)
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
}
