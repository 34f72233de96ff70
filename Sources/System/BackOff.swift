/// How long to wait before the next attempt: exponential back-off with full jitter.
///
/// Jitter spreads out the clients of a server that comes back (Brooker, "Exponential Backoff And
/// Jitter", AWS Architecture Blog, 2015).
package struct BackOff: Sendable {
  /// The first wait and its bounds.
  package struct Limits: Sendable, Hashable {
    package var first: Duration
    package var longest: Duration
    package var shortest: Duration

    package init(first: Duration, longest: Duration, shortest: Duration = .zero) {
      self.first = first
      self.longest = longest
      self.shortest = shortest
    }
  }

  private let limits: Limits
  private var random: SplitMix64?
  /// Failures in a row.
  package private(set) var failures = 0

  /// - Parameter seed: The seed of the jitter; nil for no jitter, which gives the longest waits.
  package init(_ limits: Limits, seed: UInt64?) {
    self.limits = limits
    random = seed.map(SplitMix64.init)
  }

  /// The wait after one more failure.
  ///
  /// - Parameter longest: A longest wait for this failure, if that is shorter than usual.
  package mutating func next(atMost longest: Duration? = nil) -> Duration {
    let longest = min(limits.longest, longest ?? limits.longest)
    // 2^32 times the first wait is beyond any longest wait.
    let limit = min(longest, limits.first * (1 << min(failures, 32)))
    failures += 1
    return max(limits.shortest, limit * (random?.unit() ?? 1))
  }

  /// Starts over after a success.
  package mutating func reset() { failures = 0 }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
private struct SplitMix64: Sendable {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// A number in 0..<1.
  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) * 0x1p-53
  }
}
