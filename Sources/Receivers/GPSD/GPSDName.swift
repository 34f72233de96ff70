internal import Text

/// A key or a class of gpsd's of at most eight bytes as one number, so names are compared as
/// numbers.
struct GPSDName: Sendable, Hashable {
  private let bits: UInt64

  /// The value for every name of more than eight bytes.
  static let none = GPSDName("")

  /// The name `text`, which has at most eight bytes.
  @inline(__always)
  init(_ text: StaticString) {
    var bits: UInt64 = 0
    for index in 0..<text.utf8CodeUnitCount {
      bits = bits << 8 | UInt64((text.utf8Start + index).pointee)
    }
    self.bits = bits
  }

  /// The name in a string, its escapes decoded.
  init(_ slice: JSONSlice, in line: Span<UInt8>) {
    if slice.isEscaped {
      var text: [UInt8] = []
      JSONLexeme.unescape(line.extracting(slice.range), into: &text)
      self.init(text.span, 0..<text.count)
    } else {
      self.init(line, slice.range)
    }
  }

  /// The name of these bytes.
  init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    var bits: UInt64 = 0
    if range.count <= 8 {
      for index in range { bits = bits << 8 | UInt64(bytes[index]) }
    }
    self.bits = bits
  }
}
