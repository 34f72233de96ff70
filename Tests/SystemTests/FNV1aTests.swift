import System
import Testing

@Suite("FNV-1a") struct FNV1aTests {
  private func words(_ bytes: [UInt8]) -> UInt64 {
    var hash = FNV1a()
    bytes.withUnsafeBytes { hash.add(words: $0) }
    return hash.value
  }

  @Test("bytes hash as in RFC 9923")
  func bytes() {
    for (text, value) in [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)] {
      var hash = FNV1a()
      hash.add(text)
      #expect(hash.value == value)
    }
  }

  @Test("words are little-endian, and the last one is padded with zeros")
  func wordValues() {
    let prime: UInt64 = 0x100_0000_01B3
    let start = FNV1a().value
    #expect(words([]) == start)
    #expect(words([0x61]) == 0xAF63_DC4C_8601_EC8C)
    let first = (start ^ 0x0807_0605_0403_0201) &* prime
    #expect(words([1, 2, 3, 4, 5, 6, 7, 8]) == first)
    #expect(words([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) == (first ^ 0x0B_0A09) &* prime)
    #expect(words([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0]) == (first ^ 0x0B_0A09) &* prime)
  }
}
