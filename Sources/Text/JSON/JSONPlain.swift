/// Values of JSON in the plain form of nearly all values, for readers of records by their shapes.
public enum JSONPlain {
  /// The number that begins at `at`, which is advanced past it; nil when it is not a JSON number,
  /// or has an exponent.
  @inline(__always)
  package static func number(_ bytes: borrowing Span<UInt8>, _ at: inout Int) -> Double? {
    var first = at
    if first < bytes.count, bytes[first] == UInt8(ascii: "-") { first &+= 1 }
    guard first &+ 1 < bytes.count, bytes[first] &- 0x30 < 10,
      bytes[first] != UInt8(ascii: "0") || bytes[first &+ 1] &- 0x30 >= 10
    else { return nil }
    // A digit follows a point, too. The literal that follows contains no exponent.
    guard let number = DecimalNumber.scan(bytes, &at), bytes[at &- 1] != UInt8(ascii: ".") else {
      return nil
    }
    return number
  }

  /// The end of the text from `at` on: its closing quote, or a byte that is not plain ASCII.
  @inlinable @inline(__always)
  public static func textEnd(_ bytes: borrowing Span<UInt8>, _ at: Int) -> Int {
    var at = at
    while at &+ 8 <= bytes.count {
      let word = Bytes.word(bytes, at)
      let found =
        Bytes.equal(word, Bytes.ones &* 0x22) | Bytes.equal(word, Bytes.ones &* 0x5C)
        | Bytes.unusual(word)
      if found != 0 { return at &+ found.trailingZeroBitCount >> 3 }
      at &+= 8
    }
    while at < bytes.count, isPlain(bytes[at]) { at &+= 1 }
    return at
  }

  /// Whether all bytes of a text are plain, as in ``textEnd(_:_:)``.
  package static func isPlain(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    for offset in range where !isPlain(bytes[offset]) { return false }
    return true
  }

  @usableFromInline
  static func isPlain(_ byte: UInt8) -> Bool {
    0x20..<0x80 ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

extension RecordShapes {
  /// A member of an object whose value is not part of a literal.
  package struct Member {
    package var key: JSONSlice
    package var value: JSONSlice
    package var isText: Bool
  }

  /// Learns the shape of an object that was read without errors.
  ///
  /// Numbers and texts are values; words (true, false, null) are part of the literals. A node
  /// stands for a key and whether its value is a text or a number: what may follow in the object
  /// depends on nothing else. Nested objects and escapes are not learned.
  ///
  /// - Parameters:
  ///   - line: The object, and everything up to the next one.
  ///   - kind: The kind of a member's value, as defined by the caller; nil when it cannot be read
  ///     by its shape.
  package mutating func learn(
    object line: borrowing Span<UInt8>, kind: (Member, borrowing Span<UInt8>) -> UInt8?
  ) {
    guard shouldLearn() else { return }
    var scanner = JSONScanner()
    var (node, literalStart) = (0, 0)
    guard (try? scanner.next(in: line)) == .beginObject else { return }
    while case .key(let key)? = try? scanner.next(in: line) {
      guard let value = try? scanner.next(in: line), !key.isEscaped else { return }
      switch value {
      case .bool, .null: continue
      case .number(let slice), .string(let slice):
        let member = Member(key: key, value: slice, isText: value == .string(slice))
        guard !slice.isEscaped, let kind = kind(member, line) else { return }
        var name = [kind, member.isText ? 1 : 0]
        for offset in key.range { name.append(line[offset]) }
        guard let target = self.node(name, kind: kind),
          add(from: node, line, literalStart..<slice.range.lowerBound, to: target)
        else { return }
        node = target
        literalStart = slice.range.upperBound
      default: return
      }
    }
    _ = add(from: node, line, literalStart..<line.count, to: 0)
  }
}
