import Foundation
import Testing

@testable import Geodesy

@Suite("Radii of accuracy")
struct AccuracyRadiusTests {
  @Test("a radius of k sigmas holds 1 − exp(−k² / 2)")
  func rayleigh() {
    for probability in [0.39, 0.5, AccuracyRadius.probability, 0.95, 0.9973] {
      let sigmas = AccuracyRadius.sigmas(holding: probability)
      #expect(abs(1 - exp(-sigmas * sigmas / 2) - probability) < 1e-12)
    }
  }

  @Test("the factors that are rounded are that of 0.68")
  func rounded() {
    let exact = AccuracyRadius.sigmas(holding: AccuracyRadius.probability)
    #expect(abs(AccuracyRadius.sigmas - exact) < 1e-9)
    #expect(abs(AccuracyRadius.engineSigmas - exact) < 5e-5)
    #expect(abs(AccuracyRadius.roundedSigmas - exact) < 5e-3)
  }

  @Test("a radius is turned into that of another probability and back")
  func ratios() {
    let ratio = AccuracyRadius.ratio(of: AccuracyRadius.probability, to: 0.95)
    // From 2.4477 sigmas to 1.5096.
    #expect(abs(ratio - 0.6167) < 1e-4)
    #expect(abs(ratio * AccuracyRadius.ratio(of: 0.95, to: AccuracyRadius.probability) - 1) < 1e-12)
  }
}
