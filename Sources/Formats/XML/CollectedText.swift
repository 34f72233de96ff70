/// The text of the one element that is wanted: a range of the current bytes as long as it is
/// contiguous, then a copy.
struct CollectedText: Sendable {
  /// The depth of the wanted element; 0 without one.
  private(set) var depth = 0
  /// The range that is not copied.
  private(set) var piece = 0..<0
  /// The text before the range.
  private(set) var copy: [UInt8] = []
  /// The most bytes that are kept.
  private var limit = XMLScanner.tokenLimit

  /// Begins to collect the direct text of the element at `depth`.
  @inline(__always)
  ///
  /// - Parameter isStreamed: Whether the text is taken in pieces, so that it may have any length.
  mutating func begin(depth: Int, at offset: Int, isStreamed: Bool = false) {
    self.depth = depth
    limit = isStreamed ? .max : XMLScanner.tokenLimit
    piece = offset..<offset
    if !copy.isEmpty { copy.removeAll(keepingCapacity: true) }
  }

  mutating func end() { depth = 0 }

  /// Discards the first bytes of the copy, which have been read.
  mutating func drop(_ count: Int) { copy.removeFirst(count) }

  /// Adds current bytes; returns the offset of the first byte beyond the limit.
  @inline(__always)
  mutating func add(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
    if piece.isEmpty {
      piece = range
    } else {
      guard piece.upperBound == range.lowerBound else { return addApart(bytes, range) }
      piece = piece.lowerBound..<range.upperBound
    }
    let room = limit &- copy.count
    return piece.count > room ? piece.lowerBound &+ room : nil
  }

  private mutating func addApart(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
    if let excess = save(bytes) { return excess }
    return add(bytes, range)
  }

  /// Copies the range before its bytes are discarded; returns the offset of the first byte beyond
  /// the limit.
  mutating func save(_ bytes: borrowing Span<UInt8>) -> Int? {
    guard depth > 0 else { return nil }
    let room = limit - copy.count
    guard piece.count <= room else { return piece.lowerBound + room }
    for offset in piece { copy.append(bytes[offset]) }
    // Not an empty range further on: its offset would be wrong in the bytes that follow.
    piece = 0..<0
    return nil
  }

  /// Adds the character of a reference at `offset`.
  mutating func add(_ scalar: Unicode.Scalar, _ bytes: borrowing Span<UInt8>, at offset: Int)
    -> Int?
  {
    if let excess = save(bytes) { return excess }
    guard copy.count + 4 <= limit else { return offset }
    copy.append(contentsOf: UTF8.encode(scalar) ?? .init())
    return nil
  }
}
