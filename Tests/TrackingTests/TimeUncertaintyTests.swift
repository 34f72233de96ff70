import TestSupport
import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("How uncertain the time of a crossing is")
struct TimeUncertaintyTests {
  private let ground = Ground()

  /// Straight over the edge of a circle of 100 km, as straight as a line here, half-way; sigma is
  /// 10 m at both ends.
  private func way(seconds: Double, metres: Double) throws -> (GeodesicStep, Area, Double) {
    let area = Area.circle(Circle(center: ground.place(-100_000), radius: 100_000))
    let (from, to) = (
      ground.fix(0, -metres / 2, accuracy: 10 * AccuracyRadius.engineSigmas),
      ground.fix(seconds, metres / 2, accuracy: 10 * AccuracyRadius.engineSigmas)
    )
    let way = GeodesicStep(Step(from: from, to: to, decided: Ground.time(seconds)))
    var fractions: [Double] = []
    area.crossings(from: from.coordinate, to: to.coordinate, into: &fractions)
    return (way, area, try #require(fractions.first))
  }

  @Test(
    "of an estimate it is that of its place, however short the step, and a share of the step",
    arguments: [
      // A walker, seen every second: 10 m at 1.4 m/s, where the step alone would say 0.3 s.
      (1, 1.4, 7.143),
      // A car: 1 s of the place, and 0.3 T / √12 of 2.6 s.
      (30, 300, 2.784),
      // Over a gap of 5 minutes, 1 s of the place and T / √12 of 86.6 s.
      (300, 3_000, 86.608),
    ])
  func estimated(seconds: Double, metres: Double, expected: Double) throws {
    let (way, area, fraction) = try way(seconds: seconds, metres: metres)
    let sigma = way.estimatedTimeUncertainty(at: fraction, of: area)
    #expect(abs(sigma - expected) < 0.01)
  }

  @Test("of two fixes it is never more than knowing nothing but the step")
  func ofFixes() throws {
    let (way, area, fraction) = try way(seconds: 1, metres: 1.4)
    #expect(abs(way.timeUncertainty(at: fraction, of: area) - 1 / 12.0.squareRoot()) < 1e-9)
  }

  @Test("along an edge it has a bound")
  func along() throws {
    let area = Area.circle(Circle(center: ground.place(0), radius: 100))
    let step = Step(
      from: ground.fix(0, -0.001, 100), to: ground.fix(10, 0.001, 100), decided: Ground.time(10))
    let sigma = GeodesicStep(step).estimatedTimeUncertainty(at: 0.5, of: area)
    #expect(sigma >= 600)
    #expect(sigma <= 600.1)
  }
}
