/// The 64-bit FNV-1a hash (Fowler, Noll and Vo; RFC 9923).
package struct FNV1a: Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// The hash with its bits mixed: the last bytes hardly change the upper bits of FNV-1a.
  ///
  /// Stafford's variant 13 of the MurmurHash3 finaliser, the output step of SplitMix64.
  package var mixed: UInt64 {
    var hash = value
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }

  package mutating func add(_ byte: UInt8) { add(word: UInt64(byte)) }

  package mutating func add(_ bytes: Span<UInt8>) {
    for index in bytes.indices { add(bytes[index]) }
  }

  /// Adds words of 8 bytes, little-endian, the last one filled with 0: faster than byte by byte, and
  /// another hash.
  package mutating func add(words bytes: UnsafeRawBufferPointer) {
    let wholeCount = bytes.count & ~7
    for offset in stride(from: 0, to: wholeCount, by: 8) {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      add(word: UInt64(littleEndian: word))
    }
    guard wholeCount < bytes.count else { return }
    var word: UInt64 = 0
    for byte in bytes[wholeCount...].reversed() { word = word << 8 | UInt64(byte) }
    add(word: word)
  }

  private mutating func add(word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }

  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      for byte in bytes { add(byte) }
    }
  }
}
