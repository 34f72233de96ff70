internal import Text

/// A name of an XML element or a JSON member, of up to 24 bytes, as three numbers for fast comparison.
struct ShortName: Sendable, Hashable {
  /// The first eight bytes.
  let head: UInt64
  private let middle: UInt64
  private let tail: UInt64

  /// The name at `range`; longer names are cut to 24 bytes, and no known name is that long.
  @inline(__always)
  init(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    let (start, count) = (range.lowerBound, range.count)
    head = Bytes.word(bytes, start, count: count)
    middle = count > 8 ? Bytes.word(bytes, start &+ 8, count: count &- 8) : 0
    tail = count > 16 ? Bytes.word(bytes, start &+ 16, count: count &- 16) : 0
  }

  /// No name.
  init() { (head, middle, tail) = (0, 0, 0) }

  /// The number of significant bytes of a name.
  static let limit = 24

  /// The bytes, followed by zeros.
  var bytes: [UInt8] {
    [head, middle, tail].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
    }
  }

  init(_ name: String) {
    let bytes = Array(name.utf8)
    self.init(bytes.span, 0..<bytes.count)
  }
}
