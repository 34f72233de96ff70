/// Numbers that are chosen by an input's own bytes, so that a find is found again.
struct Choices {
  private var state: UInt64

  /// Choices that all of `bytes` decide (FNV-1a).
  init(of bytes: [UInt8]) {
    state = 0xCBF2_9CE4_8422_2325
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// A number from 0 up to `limit`, which is not among them (SplitMix64).
  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    value ^= value >> 31
    return Int(value % UInt64(max(limit, 1)))
  }
}

/// The places at which an input is cut into pieces.
struct Cuts {
  /// Counting up, the last one at the end of the input.
  let ends: [Int]

  /// One cut for most inputs, some for others, and one behind every byte of a few short ones: what is
  /// not used up is looked at again with every piece, which takes long.
  init(of bytes: [UInt8]) {
    var choices = Choices(of: bytes)
    let count: Int
    switch choices.below(16) {
    case 0: count = bytes.count <= 128 ? bytes.count : 10
    case 1, 2: count = 1 + choices.below(10)
    default: count = 1
    }
    if count == bytes.count {
      ends = Array(0...bytes.count)
    } else {
      ends = (0..<count).map { _ in choices.below(bytes.count + 1) }.sorted() + [bytes.count]
    }
  }
}
