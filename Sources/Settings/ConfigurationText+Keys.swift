/// Looking at keys in the text itself, for what Yams cannot say or cannot stand.
extension ConfigurationText {
  /// Where a list, a mapping or an alias is used as a key in a file that has aliases, if anywhere.
  ///
  /// Yams hashes every key in full, aliases expanded: nine lines of aliases to aliases would keep
  /// it busy for years. Text that only looks like this (in a comment, say) is refused too; a config
  /// has no use for it.
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

  /// The offset at which `key` is written again in the mapping that has it at `first`, or nil when
  /// it cannot be found.
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

  /// The column of a byte, found without reading what comes before its line.
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

  /// Where `key`, bare or in quotes, ends when it stands at `offset`.
  private func end(of key: String, at offset: Int) -> Int? {
    let spellings = [key, "\"\(key)\"", "'\(key)'"]
    return spellings.first { bytes[offset...].starts(with: $0.utf8) }.map { offset + $0.utf8.count }
  }

  /// The offset behind the quoted text or the comment that starts at `offset`, nil when none does.
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
  /// Whether this may be in the name of an anchor, as libyaml has it.
  fileprivate var isAnchorCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
