import Foundation
import TestSupport
import Testing

@testable import Estimation

@Suite("functions of the filter's own")
struct ExponentialTests {
  @Test("the exponential of four single numbers is right to seven digits")
  func single() {
    for step in -500...800 {
      let x = Float(step) / 10
      let found = Exponential.of(SIMD4(x, x / 2, -1e30, 0))
      #expect(abs(Double(found.x) / exp(Double(x)) - 1) < 3e-7 * max(1, Double(abs(x))), "\(x)")
      #expect(found.z < 2e-22 && found.w == 1)
    }
  }

  @Test(
    "what is lost is right for small and large times alike",
    arguments: [
      1e-9, 1e-6, 0.01, 0.3, 1, 20, 699, 1e9,
    ])
  func loss(x: Double) {
    let found = Exponential.loss(SIMD4(x, x, 0, 2 * x))
    #expect(abs(found.x / -expm1(-x) - 1) < 1e-9)
    #expect(found.z == 0 && found.w >= found.x)
  }

  @Test("one number", arguments: [-800, -20, -1, 0, 1, 12.5])
  func one(x: Double) {
    let (found, right) = (Exponential.of(x), exp(x))
    #expect(abs(found - right) <= 1e-11 * right + 1e-300)
  }

  @Test("directions all round, and some turns further")
  func direction() {
    for step in stride(from: -720.0, through: 1_080, by: 0.37) {
      let direction = Direction(degrees: step)
      #expect(abs(direction.sine - sin(step * .pi / 180)) < 1e-9, "\(step)")
      #expect(abs(direction.cosine - cos(step * .pi / 180)) < 1e-9, "\(step)")
    }
    #expect(Direction(degrees: 90).cosine == 0 && Direction(degrees: 90).sine == 1)
  }

  @Test("a whole number of seconds is as any other time")
  func transition() {
    var (whole, other) = (0.0, 0.0)
    TransitionModel.with(nanoseconds: 7_000_000_000, rested: 0) { whole = $0.pointee.bias }
    TransitionModel.with(nanoseconds: 7_000_000_001, rested: 0) { other = $0.pointee.bias }
    #expect(abs(whole - other) < 1e-9 && whole > 0)
    #expect(abs(whole + expm1(-7 / MotionModel.biasTime)) < 1e-12)
  }
}
