import Tracking

/// A number for everything that was decided, to hold two programs to each other; truth.cpp has the
/// same in C++ (digest.h).
struct Digest {
  private(set) var (hits, entries, exits) = (0, 0, 0)
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(
    fix: Int, inside: some Collection<Int>, changes: [FencePresence.Change]
  ) {
    for fence in inside {
      hits += 1
      mix(fix, fence, 0)
    }
    for change in changes {
      if change.isEntry { entries += 1 } else { exits += 1 }
      mix(fix, change.fence, change.isEntry ? 1 : 2)
    }
  }

  private mutating func mix(_ fix: Int, _ fence: Int, _ what: UInt64) {
    value ^= UInt64(fix) << 32 &+ UInt64(fence) * 4 &+ what
    value = value &* 0x100_0000_01b3
    value ^= value >> 29
  }

  var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
