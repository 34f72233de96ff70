import Glibc

/// Random numbers that are the same on every machine for the same seed.
///
/// xoshiro256++ 1.0, seeded by SplitMix64, both after D. Blackman and S. Vigna,
/// "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021). The draws below are
/// written out here because the standard library does not promise how it turns bits into numbers.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Makes a generator from any seed, including 0.
  package init(seed: UInt64) {
    var splitMix = SplitMix64(state: seed)
    state = (splitMix.next(), splitMix.next(), splitMix.next(), splitMix.next())
  }

  /// A generator for one purpose, so omitting one part does not change the draws of the others.
  package init(seed: UInt64, purpose: UInt64) {
    var splitMix = SplitMix64(state: purpose)
    self.init(seed: seed ^ splitMix.next())
  }

  package mutating func next() -> UInt64 {
    let result = rotated(state.0 &+ state.3, by: 23) &+ state.0
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotated(state.3, by: 45)
    return result
  }

  private func rotated(_ bits: UInt64, by count: UInt64) -> UInt64 {
    (bits << count) | (bits >> (64 - count))
  }
}

extension SeededGenerator {
  /// A number in 0..<1, of 53 random bits.
  package mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A uniformly distributed number in the range.
  package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }

  /// A number from the standard normal distribution (Box and Muller 1958).
  package mutating func normal() -> Double {
    // 1 − unit() is in 0 <..= 1, so the logarithm is finite.
    let radius = (-2 * log(1 - unit())).squareRoot()
    return radius * cos(2 * .pi * unit())
  }

  /// An exponentially distributed number of the given mean.
  package mutating func exponential(mean: Double) -> Double {
    -mean * log(1 - unit())
  }

  /// A uniformly distributed whole number in the range.
  package mutating func whole(_ range: ClosedRange<Int>) -> Int {
    // unit() is below 1; min() covers the case that the product rounds up.
    min(range.lowerBound + Int(unit() * Double(range.count)), range.upperBound)
  }

  /// A uniformly random element, or `otherwise` when there are no choices.
  mutating func choice<Choice>(of choices: [Choice], otherwise: Choice) -> Choice {
    choices.isEmpty ? otherwise : choices[whole(0...choices.count - 1)]
  }

  /// 1 or −1, with equal probability.
  mutating func sign() -> Double { happens(0.5) ? 1 : -1 }

  /// The choices in random order (Fisher and Yates).
  mutating func shuffled<Choice>(_ choices: [Choice]) -> [Choice] {
    var all = choices
    for index in all.indices.dropFirst().reversed() { all.swapAt(index, whole(0...index)) }
    return all
  }

  /// A Poisson distributed number of the given mean (Knuth 1969).
  mutating func poisson(mean: Double) -> Int {
    let limit = exp(-mean)
    var (count, product) = (0, unit())
    while product > limit {
      count += 1
      product *= unit()
    }
    return count
  }

  /// True with this probability.
  package mutating func happens(_ probability: Double) -> Bool {
    unit() < probability
  }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
