import Geodesy

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers in every run for a seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// A number whose logarithm is evenly spread.
  mutating func magnitude(_ low: Double, _ high: Double) -> Double {
    low * exponential(number(0...1), high / low)
  }

  /// A place, its latitude evenly spread.
  mutating func coordinate(latitudes: ClosedRange<Double> = -90...90) -> Coordinate {
    Coordinate(latitude: number(latitudes), longitude: number(-180...180))
  }
}

import func Foundation.pow

private func exponential(_ fraction: Double, _ ratio: Double) -> Double { pow(ratio, fraction) }
