/// Searches bytes eight at a time.
///
/// The tests are those of H. Warren, "Hacker's Delight", second edition, section 6-1: a result has
/// the highest bit of a byte set where the byte matches. Above the first such byte there may be
/// false ones, below it never, and only the first is used.
public enum Bytes {
  // Computed, as a stored constant of another module is loaded from memory at each use.
  /// 1 in each byte.
  @inlinable public static var ones: UInt64 { 0x0101_0101_0101_0101 }
  /// The highest bit of each byte.
  @inlinable public static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// The eight bytes from `offset` on, the first in the lowest byte.
  @inlinable @inline(__always)
  public static func word(_ bytes: borrowing Span<UInt8>, _ offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= bytes.count &- 8)
    return uncheckedWord(bytes, offset)
  }

  /// The same, when the caller has ensured that the eight bytes are inside the span.
  @inlinable @inline(__always)
  public static func uncheckedWord(_ bytes: borrowing Span<UInt8>, _ offset: Int) -> UInt64 {
    // Every bit pattern is a valid UInt64, at any alignment.
    UInt64(
      littleEndian: bytes.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self)
    )
  }

  /// Up to eight bytes from `offset` on, then zeros.
  @inlinable @inline(__always)
  public static func word(_ bytes: borrowing Span<UInt8>, _ offset: Int, count: Int) -> UInt64 {
    if count >= 8 { return word(bytes, offset) }
    guard offset &+ 8 <= bytes.count else { return slowWord(bytes, offset, count: count) }
    return word(bytes, offset) & ~(UInt64.max << UInt64(truncatingIfNeeded: count &* 8))
  }

  @usableFromInline @inline(never)
  static func slowWord(_ bytes: borrowing Span<UInt8>, _ offset: Int, count: Int) -> UInt64 {
    var word: UInt64 = 0
    for place in 0..<count { word |= UInt64(bytes[offset + place]) << UInt64(place * 8) }
    return word
  }

  /// Marks bytes equal to the one that `pattern` repeats eight times.
  @inlinable @inline(__always)
  public static func equal(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
    let difference = word ^ pattern
    return (difference &- ones) & ~difference & highs
  }

  /// Marks bytes equal to the one that `pattern` repeats eight times, valid for every byte.
  @inlinable @inline(__always)
  public static func allEqual(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
    let lows = ~highs
    let difference = word ^ pattern
    // No sum carries over.
    return ~(((difference & lows) &+ lows) | difference) & highs
  }

  /// Marks bytes below a space, or above ASCII.
  @inlinable @inline(__always)
  public static func unusual(_ word: UInt64) -> UInt64 {
    (((word &- ones &* 0x20) & ~word) | word) & highs
  }

  /// The number of line feeds in `range`.
  package static func lineFeeds(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int {
    var at = range.lowerBound
    var count = 0
    while at &+ 8 <= range.upperBound {
      // A byte holds the sum of at most 255 rounds.
      let end = min(range.upperBound &- 7, at &+ 8 &* 255)
      var sums: UInt64 = 0
      while at < end {
        sums &+= allEqual(word(bytes, at), ones &* 0x0A) >> 7
        at &+= 8
      }
      count &+= total(sums)
    }
    while at < range.upperBound {
      if bytes[at] == 0x0A { count &+= 1 }
      at &+= 1
    }
    return count
  }

  /// The sum of eight bytes: of pairs, then of all pairs by one multiplication.
  @inline(__always)
  private static func total(_ word: UInt64) -> Int {
    let low: UInt64 = 0x00FF_00FF_00FF_00FF
    let pairs = (word & low) &+ ((word >> 8) & low)
    return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
  }
}
