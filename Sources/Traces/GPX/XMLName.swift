/// A name of up to 24 bytes as three numbers, so that comparing costs next to nothing.
struct XMLName: Sendable, Hashable {
  /// The first eight bytes.
  let head: UInt64
  private let middle: UInt64
  private let tail: UInt64

  /// The name at `range`; names that are longer than 24 bytes are cut, and no known one is.
  @inline(__always)
  init(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    let (start, count) = (range.lowerBound, range.count)
    head = Bytes.word(bytes, start, count: count)
    middle = count > 8 ? Bytes.word(bytes, start &+ 8, count: count &- 8) : 0
    tail = count > 16 ? Bytes.word(bytes, start &+ 16, count: count &- 16) : 0
  }

  /// No name.
  init() { (head, middle, tail) = (0, 0, 0) }

  /// How many bytes of a name count.
  static let limit = 24

  /// The bytes, with zeros behind them.
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
