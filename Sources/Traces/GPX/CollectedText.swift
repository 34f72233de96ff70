/// The text of the one element that is wanted: a part of the bytes at hand as long as it is in one
/// piece there, and copied as soon as it is not.
struct CollectedText: Sendable {
  /// The depth of the wanted element; 0 when none is.
  private(set) var depth = 0
  /// The piece that is not copied.
  private(set) var piece = 0..<0
  /// The text before the piece.
  private(set) var copy: [UInt8] = []

  /// Begins to collect what stands directly in the element at `depth`.
  @inline(__always)
  mutating func begin(depth: Int, at offset: Int) {
    self.depth = depth
    piece = offset..<offset
    if !copy.isEmpty { copy.removeAll(keepingCapacity: true) }
  }

  mutating func end() { depth = 0 }

  /// Adds bytes at hand; returns the offset of the first one too many.
  @inline(__always)
  mutating func add(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
    if piece.isEmpty {
      piece = range
    } else {
      guard piece.upperBound == range.lowerBound else { return addApart(bytes, range) }
      piece = piece.lowerBound..<range.upperBound
    }
    let room = XMLScanner.tokenLimit &- copy.count
    return piece.count > room ? piece.lowerBound &+ room : nil
  }

  private mutating func addApart(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
    if let excess = save(bytes) { return excess }
    return add(bytes, range)
  }

  /// Copies the piece, before its bytes go; returns the offset of the first one too many.
  mutating func save(_ bytes: borrowing Span<UInt8>) -> Int? {
    guard depth > 0 else { return nil }
    let room = XMLScanner.tokenLimit - copy.count
    guard piece.count <= room else { return piece.lowerBound + room }
    for offset in piece { copy.append(bytes[offset]) }
    // Not an empty piece further on: its offset would be wrong in the bytes that follow.
    piece = 0..<0
    return nil
  }

  /// Adds a character that a reference at `offset` stands for.
  mutating func add(_ scalar: Unicode.Scalar, _ bytes: borrowing Span<UInt8>, at offset: Int)
    -> Int?
  {
    if let excess = save(bytes) { return excess }
    guard copy.count + 4 <= XMLScanner.tokenLimit else { return offset }
    copy.append(contentsOf: UTF8.encode(scalar) ?? .init())
    return nil
  }
}
