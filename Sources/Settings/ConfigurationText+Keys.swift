/// Searches the text for keys that Yams cannot locate or cannot handle.
extension ConfigurationText {
  /// The offset of a list, a mapping or an alias used as a key, in a file with aliases; nil for none.
  ///
  /// Yams hashes every key with its aliases expanded: nine lines of aliases of aliases would take
  /// years. Text that only looks like such a key, as in a comment, is rejected too.
  func suspiciousKey() -> Int? {
    let aliases = bytes.indices.filter { isAlias(at: $0) }
    guard !aliases.isEmpty else { return nil }
    let usedAsKey = aliases.first { alias in
      let end = bytes[(alias + 1)...].firstIndex { !$0.isAnchorCharacter } ?? bytes.count
      return isColon(at: skippingBlanks(end))
    }
    let closing = bytes.indices.first { offset in
      (bytes[offset] == UInt8(ascii: "]") || bytes[offset] == UInt8(ascii: "}"))
        && isColon(at: skippingBlanks(offset + 1))
    }
    let explicit = bytes.indices.first { bytes[$0] == UInt8(ascii: "?") && startsToken(at: $0) }
    return [usedAsKey, closing, explicit].compactMap { $0 }.min()
  }

  /// The offset of the second `key` in the mapping that has it at `first`; nil when it is not found.
  func repetition(of key: String, after first: Int) -> Int? {
    let column = column(at: first)
    var (depth, offset) = (0, first)
    while offset < bytes.count, depth >= 0 {
      if depth == 0, offset > first, startsToken(at: offset), let end = end(of: key, at: offset),
        isColon(at: skippingBlanks(end)),
        isAfterComma(offset) || self.column(at: offset) == column
      {
        return offset
      }
      switch bytes[offset] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      offset = skippingTextOrComment(at: offset) ?? offset + 1
    }
    return nil
  }

  /// The column of a byte; only its line is read.
  private func column(at offset: Int) -> Int {
    let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return bytes[start..<offset].count { $0 & 0xC0 != 0x80 } + 1
  }

  private func isAlias(at offset: Int) -> Bool {
    bytes[offset] == UInt8(ascii: "*") && offset + 1 < bytes.count
      && bytes[offset + 1].isAnchorCharacter && startsToken(at: offset)
  }

  private func isColon(at offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] == UInt8(ascii: ":")
  }

  private func startsToken(at offset: Int) -> Bool {
    guard offset > 0 else { return true }
    let before = bytes[offset - 1]
    return before.isBlank || before.isLineEnd || "[{,:?".utf8.contains(before)
  }

  private func isAfterComma(_ offset: Int) -> Bool {
    let before = bytes[..<offset].last { !$0.isBlank && !$0.isLineEnd }
    return before == UInt8(ascii: ",")
  }

  /// The end of `key`, with or without quotes, at `offset`; nil when it is not there.
  private func end(of key: String, at offset: Int) -> Int? {
    let spellings = [key, "\"\(key)\"", "'\(key)'"]
    return spellings.first { bytes[offset...].starts(with: $0.utf8) }.map { offset + $0.utf8.count }
  }

  /// The offset after the quoted text or comment at `offset`; nil when there is none.
  private func skippingTextOrComment(at offset: Int) -> Int? {
    let mark = bytes[offset]
    guard startsToken(at: offset) else { return nil }
    if mark == UInt8(ascii: "#") {
      return bytes[offset...].firstIndex { $0.isLineEnd } ?? bytes.count
    }
    guard mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else { return nil }
    var end = offset + 1
    while end < bytes.count, bytes[end] != mark {
      let isEscape = mark == UInt8(ascii: "\"") && bytes[end] == UInt8(ascii: "\\")
      end += isEscape ? 2 : 1
    }
    return min(end + 1, bytes.count)
  }
}

extension UInt8 {
  /// Whether libyaml allows this in the name of an anchor.
  fileprivate var isAnchorCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
