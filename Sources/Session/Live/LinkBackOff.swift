/// How long to wait before the next try: exponential, with full jitter, so that many clients of
/// a server that comes back do not come all at once (Brooker, "Exponential Backoff And Jitter",
/// AWS Architecture Blog, 2015).
struct LinkBackOff: Sendable {
  private let first: Duration
  private let longest: Duration
  private let shortest: Duration
  private var random: SplitMix64
  /// Failures in a row.
  private(set) var failures = 0

  init(_ options: LinkOptions, seed: UInt64) {
    first = options.firstBackOff
    longest = options.longestBackOff
    shortest = options.shortestBackOff
    random = SplitMix64(state: seed)
  }

  /// The wait after one more failure.
  mutating func next() -> Duration {
    // Beyond 2^32 times the first wait, the longest is reached for certain.
    let limit = min(longest, first * (1 << min(failures, 32)))
    failures += 1
    return max(shortest, limit * random.unit())
  }

  /// The connection was a good one.
  mutating func reset() { failures = 0 }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
private struct SplitMix64: Sendable {
  var state: UInt64

  /// A number in 0..<1.
  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) * 0x1p-53
  }
}
