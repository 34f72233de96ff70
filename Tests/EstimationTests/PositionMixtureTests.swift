import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Estimation

@Suite("Positions of several hypotheses")
struct PositionMixtureTests {
  private let map = LocalFrame(origin: Coordinate(latitude: 47, longitude: 8))

  /// Hypotheses that are up to 2 km apart, known to 1 m to 5 km, one of them often far more probable.
  private func mixture(_ random: inout SeededGenerator) -> PositionMixture {
    var modes = Modes()
    for lane in 0..<4 {
      modes.px[lane] = Float.random(in: -1_000...1_000, using: &random)
      modes.py[lane] = Float.random(in: -1_000...1_000, using: &random)
      let sigma = Float(exponent(from: 0, to: 8.5, &random))
      modes.pp[lane] = sigma * sigma
      modes.weight[lane] = Float(exponent(from: -5, to: 0, &random))
    }
    modes.weight *= 1 / modes.weight.sum()
    return PositionMixture(modes, on: map)
  }

  private func exponent(from: Double, to: Double, _ random: inout SeededGenerator) -> Double {
    exp(Double.random(in: from...to, using: &random))
  }

  @Test("the place is that of the rest, where the mean lies between two places")
  func place() {
    var modes = Modes()
    modes.px = Modes.Lanes(500, 480, 490, 0)
    modes.weight = Modes.Lanes(0.8, 0.02, 0.02, 0.16)
    var mixture = PositionMixture(modes, on: map)
    #expect(mixture.mean.x < 450)
    #expect(mixture.place == Vector(x: 500, y: 0))
    // It is the mean while no rest is the most probable, and where both are one place.
    modes.weight = Modes.Lanes(0.45, 0.02, 0.02, 0.51)
    mixture = PositionMixture(modes, on: map)
    #expect(mixture.place == mixture.mean)
    modes.px = Modes.Lanes(6, 5, 5, 0)
    modes.weight = Modes.Lanes(0.8, 0.02, 0.02, 0.16)
    mixture = PositionMixture(modes, on: map)
    #expect(mixture.place == mixture.mean)
  }

  @Test("an area that probably holds the device is near enough and large enough", arguments: 1...4)
  func bounds(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (held, isFar, isSmall) = (0, 0, 0)
    for _ in 0..<2_000 {
      let mixture = mixture(&random)
      let middle = map.coordinate(at: mixture.mean)
      let distance = exponent(from: 0, to: 9, &random)
      let radius = exponent(from: 2, to: 9, &random)
      let bearing = Double.random(in: 0..<360, using: &random)
      let area = Area.circle(
        Circle(
          center: middle.destination(bearing: bearing, distance: distance), radius: radius))
      let edge = area.signedDistance(to: middle)
      let isNear = edge <= mixture.probableReach
      let isLarge = mixture.isProbable(inSize: area.approximateSize)
      if mixture.probability(inside: area, middle: edge) > 0.51 {
        held += 1
        #expect(isNear && isLarge, "seed \(seed): \(mixture), \(area)")
      }
      isFar += isNear ? 0 : 1
      isSmall += isLarge ? 0 : 1
    }
    #expect(held > 200 && isFar > 100 && isSmall > 100, "seed \(seed)")
  }
}
