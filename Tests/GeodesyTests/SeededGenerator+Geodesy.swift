import Geodesy
import TestSupport

import func Foundation.pow

extension SeededGenerator {
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

private func exponential(_ fraction: Double, _ ratio: Double) -> Double { pow(ratio, fraction) }
