/// The raw names of the elements that are open, outermost first.
struct OpenElements: Sendable {
  /// Names in words of eight bytes, the last filled up with zeros.
  private var words: [UInt64] = []
  private var lengths: [Int] = []

  var depth: Int { lengths.count }

  /// The number of bytes in the innermost name; 0 when there is none.
  var length: Int { lengths.last ?? 0 }

  mutating func push(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) {
    var at = name.lowerBound
    while at < name.upperBound {
      words.append(Bytes.word(bytes, at, count: name.upperBound &- at))
      at &+= 8
    }
    lengths.append(name.count)
  }

  mutating func pop() {
    guard let length = lengths.popLast() else { return }
    var count = (length &+ 7) / 8
    while count > 0 {
      words.removeLast()
      count &-= 1
    }
  }

  /// Whether the ``length`` bytes from `offset` on, which must be there, are the innermost name.
  @inline(__always)
  func matches(_ bytes: borrowing Span<UInt8>, at offset: Int) -> Bool {
    let length = self.length
    var done = 0
    var word = words.count &- (length &+ 7) / 8
    while done < length {
      guard Bytes.word(bytes, offset &+ done, count: length &- done) == words[word] else {
        return false
      }
      done &+= 8
      word &+= 1
    }
    return true
  }

  /// The innermost name, for a message.
  var last: String {
    var bytes: [UInt8] = []
    for word in words.suffix((length + 7) / 8) {
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(place * 8))) }
    }
    return String(decoding: bytes.prefix(min(length, 40)), as: UTF8.self)
  }
}
