/// The raw names of the open elements, outermost first.
struct OpenElements: Sendable {
  /// A name; its bytes after the first ``ShortName/limit`` are at the end of ``rest``.
  private struct Entry: Sendable {
    var name = ShortName()
    var length = 0
  }

  private(set) var depth = 0
  // One more than can be open, so that the innermost one can be read when none is.
  private var entries = [Entry](repeating: Entry(), count: XMLScanner.depthLimit + 1)
  private var rest: [UInt8] = []

  /// The number of bytes in the innermost name; 0 without one.
  var length: Int { entries[depth].length }

  /// Opens an element; at most ``XMLScanner/depthLimit`` can be open.
  mutating func push(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) {
    depth &+= 1
    entries[depth] = Entry(name: ShortName(bytes, name), length: name.count)
    if name.count > ShortName.limit {
      for offset in name.dropFirst(ShortName.limit) { rest.append(bytes[offset]) }
    }
  }

  mutating func pop() {
    guard depth > 0 else { return }
    let excess = entries[depth].length &- ShortName.limit
    if excess > 0 { rest.removeLast(excess) }
    depth &-= 1
  }

  /// Whether the ``length`` bytes from `offset` on, which must exist, are the innermost name.
  @inline(__always)
  func matches(_ bytes: borrowing Span<UInt8>, at offset: Int) -> Bool {
    let length = self.length
    guard ShortName(bytes, offset..<offset &+ length) == entries[depth].name else { return false }
    guard length > ShortName.limit else { return true }
    let start = rest.count - (length - ShortName.limit)
    for place in ShortName.limit..<length
    where bytes[offset + place] != rest[start + place - ShortName.limit] {
      return false
    }
    return true
  }

  /// The innermost name, for a message.
  var last: String {
    let excess = max(0, length - ShortName.limit)
    let bytes = entries[depth].name.bytes.prefix(length) + rest.suffix(excess)
    return String(decoding: bytes.prefix(40), as: UTF8.self)
  }
}
