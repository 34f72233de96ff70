/// A new text for a scalar of a file.
package struct ConfigurationEdit: Sendable, Hashable {
  package var scalar: ConfigurationScalar
  /// A text that needs no quotes.
  package var text: String

  package init(scalar: ConfigurationScalar, text: String) {
    self.scalar = scalar
    self.text = text
  }

  /// Replaces scalars in the bytes of their file.
  ///
  /// All else stays, such as comments.
  ///
  /// - Returns: The new bytes, and the edits that were made. Not made is an edit of a scalar that is not
  ///   written as its text (it has escapes, say), or that another edit gives another text.
  package static func apply(
    _ edits: some Sequence<ConfigurationEdit>, to bytes: [UInt8]
  ) -> (bytes: [UInt8], made: Set<ConfigurationEdit>) {
    var wanted: [ConfigurationPlace: ConfigurationEdit] = [:]
    for edit in edits where wanted[edit.scalar.place] == nil { wanted[edit.scalar.place] = edit }
    let lines = LineOffsets(bytes)
    var (result, made, end) = ([] as [UInt8], [] as Set<ConfigurationEdit>, 0)
    for edit in wanted.values.sorted(by: { $0.scalar.place < $1.scalar.place }) {
      guard let range = lines.range(of: edit.scalar, in: bytes), range.lowerBound >= end else {
        continue
      }
      result += bytes[end..<range.lowerBound] + Array(edit.text.utf8)
      end = range.upperBound
      made.insert(edit)
    }
    return (result + bytes[end...], made)
  }
}

/// Where the lines of a text begin.
private struct LineOffsets {
  private var starts = [0]

  init(_ bytes: [UInt8]) {
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(offset + 1)
    }
  }

  /// The bytes of a scalar without its quotes; nil when they are not its text.
  func range(of scalar: ConfigurationScalar, in bytes: [UInt8]) -> Range<Int>? {
    guard starts.indices.contains(scalar.place.line - 1) else { return nil }
    var offset = starts[scalar.place.line - 1]
    for _ in 1..<max(scalar.place.column, 1) {
      repeat { offset += 1 } while offset < bytes.count && bytes[offset] & 0xC0 == 0x80
    }
    guard offset < bytes.count else { return nil }
    if bytes[offset] == UInt8(ascii: "&") {
      // An anchor is before the scalar.
      offset = bytes[offset...].firstIndex { $0.isBlank } ?? bytes.count
      offset = bytes[offset...].firstIndex { !$0.isBlank } ?? bytes.count
    }
    guard offset < bytes.count else { return nil }
    if bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'") { offset += 1 }
    guard bytes[offset...].starts(with: scalar.text.utf8) else { return nil }
    return offset..<offset + scalar.text.utf8.count
  }
}

extension ConfigurationPlace {
  fileprivate static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}
