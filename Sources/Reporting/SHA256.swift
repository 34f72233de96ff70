/// The hash function of FIPS 180-4, for the page's content security policy.
///
/// Only fixed texts of the program are hashed, so neither speed nor timing matters.
enum SHA256 {
  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = primes(64).map { fraction($0, root: 3) }
  /// The same of the square roots of the first eight.
  private static let start: [UInt32] = primes(8).map { fraction($0, root: 2) }

  static func hash(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    var state = start
    for block in stride(from: 0, to: padded.count, by: 64) {
      update(&state, with: padded[block..<block + 64])
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private static func update(_ state: inout [UInt32], with block: ArraySlice<UInt8>) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
      block[place..<place + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (a, b) = (words[index - 15], words[index - 2])
      let first = turn(a, 7) ^ turn(a, 18) ^ a >> 3
      let second = turn(b, 17) ^ turn(b, 19) ^ b >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var s = state
    for index in 0..<64 {
      let mixed = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)
      let choice = (s[4] & s[5]) ^ (~s[4] & s[6])
      let one = s[7] &+ mixed &+ choice &+ constants[index] &+ words[index]
      let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])
      let two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) &+ majority
      s = [one &+ two, s[0], s[1], s[2], s[3] &+ one, s[4], s[5], s[6]]
    }
    state = zip(state, s).map { $0 &+ $1 }
  }

  private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static func primes(_ count: Int) -> [UInt64] {
    var found: [UInt64] = []
    var number: UInt64 = 2
    while found.count < count {
      if found.allSatisfy({ number % $0 != 0 }) { found.append(number) }
      number += 1
    }
    return found
  }

  /// Computed with whole numbers: the greatest r with r^root at most prime * 2^(32 root).
  private static func fraction(_ prime: UInt64, root: Int) -> UInt32 {
    var found: UInt64 = 0
    for bit in stride(from: 35 as UInt64, through: 0, by: -1) {
      let next = found | 1 << bit
      if power(next, root) <= shifted(prime, by: 32 * root) { found = next }
    }
    return UInt32(truncatingIfNeeded: found)
  }

  private static func power(_ base: UInt64, _ exponent: Int) -> UInt128 {
    (0..<exponent).reduce(1 as UInt128) { product, _ in product * UInt128(base) }
  }

  private static func shifted(_ number: UInt64, by bits: Int) -> UInt128 { UInt128(number) << bits }
}
