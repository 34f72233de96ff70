internal import Yams

/// Parses the bytes of a config file into Yams nodes.
enum ConfigurationDocument {
  /// The root of the one document in `bytes`.
  ///
  /// - Parameter expected: What a file that is empty should hold.
  static func read(
    _ bytes: [UInt8], file: String, expected: String
  ) throws(ConfigurationError) -> Node {
    let text = ConfigurationText(file: file, bytes: prepared(bytes))
    try refuseForeign(text)
    let string = String(decoding: text.bytes, as: UTF8.self)
    let root: Node?
    do {
      // The basic resolver treats every scalar as text, so `id: no` and `id: 007` keep their text and
      // numbers are parsed here. The encoding is explicit because the default may print a line to
      // standard output.
      root = try Yams.compose(yaml: string, .basic, .default, .utf8)
    } catch let error as YamlError {
      throw ConfigurationError([ConfigurationSyntax(text: text).problem(error)])
    } catch {
      throw ConfigurationError([
        ConfigurationProblem(
          ConfigurationPlace(file: file), found: "a YAML error (\(error))", expected: "valid YAML")
      ])
    }
    guard let root, !isNothing(root) else {
      throw ConfigurationError([
        ConfigurationProblem(
          ConfigurationPlace(file: file, line: 1, column: 1), found: "nothing in the file",
          expected: expected)
      ])
    }
    return root
  }

  /// Whether `node` is an empty value, `~` or `null`.
  static func isNothing(_ node: Node) -> Bool {
    guard case .scalar(let scalar) = node, scalar.style == .plain else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }

  private static func refuseForeign(_ text: ConfigurationText) throws(ConfigurationError) {
    if let foreign = text.firstForeignByte() {
      throw ConfigurationError([
        ConfigurationProblem(
          text.place(at: foreign.offset), found: foreign.what, expected: "UTF-8 text")
      ])
    }
    if let offset = text.excessiveValue() {
      throw ConfigurationError([
        ConfigurationProblem(
          text.place(at: offset), found: "more than 1,000,000 values",
          expected: "fewer; many fences belong in an included GeoJSON file")
      ])
    }
    if let offset = text.suspiciousKey() {
      throw ConfigurationError([
        ConfigurationProblem(
          text.place(at: offset), found: "a key that is a list, a mapping or an alias",
          expected: "plain words as keys")
      ])
    }
  }

  /// The bytes without a byte order mark; JSON is converted to equivalent YAML: tabs before the first
  /// brace become spaces, and a pair of surrogate escapes becomes one escape.
  private static func prepared(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let start = bytes.firstIndex { !$0.isBlank && !$0.isLineEnd }
    guard let start, bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") else {
      return bytes
    }
    for index in 0..<start where bytes[index] == UInt8(ascii: "\t") {
      bytes[index] = UInt8(ascii: " ")
    }
    return joiningSurrogates(bytes)
  }

  /// `\ud83d\ude00`, JSON's spelling of a character outside the basic plane, as YAML's `\U0001f600`.
  private static func joiningSurrogates(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    while let escape = bytes[offset...].firstIndex(of: UInt8(ascii: "\\")) {
      result += bytes[offset..<escape]
      if let high = unit(bytes, at: escape), let low = unit(bytes, at: escape + 6),
        UTF16.isLeadSurrogate(high), UTF16.isTrailSurrogate(low)
      {
        let scalar = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF))
        let digits = String(scalar, radix: 16)
        result += Array("\\U".utf8)
        result += Array((String(repeating: "0", count: 8 - digits.count) + digits).utf8)
        offset = escape + 12
      } else {
        // An escaped character stays with its backslash: `\\ud83d` is not a character escape.
        offset = min(escape + 2, bytes.count)
        result += bytes[escape..<offset]
      }
    }
    return result + bytes[offset...]
  }

  /// The code unit of an escape such as `\ud83d` at `offset`; nil when there is none.
  private static func unit(_ bytes: [UInt8], at offset: Int) -> UInt16? {
    guard offset + 6 <= bytes.count, bytes[offset...].starts(with: "\\u".utf8) else { return nil }
    let digits = String(decoding: bytes[(offset + 2)..<(offset + 6)], as: UTF8.self)
    return digits.hasPrefix("+") || digits.hasPrefix("-") ? nil : UInt16(digits, radix: 16)
  }
}
