internal import Text

/// Files that are not read, by their beginning: what they are, and what to do.
package enum ForeignFile {
  /// What a file of no supported format is, with advice where there is any.
  ///
  /// - Parameters:
  ///   - path: Where other programs can read it; nil for a pipe or the entry of an archive.
  ///   - isCompressed: Whether the head was decompressed, so that they would read other bytes.
  static func description(
    of head: ArraySlice<UInt8>, path: String?, isCompressed: Bool = false
  ) -> String {
    let plainPath = isCompressed ? nil : path
    for kind in kinds where kind.begins(head) {
      return "\(kind.name) cannot be read; \(kind.advice(kind.takesGzip ? path : plainPath))"
    }
    if JSONSignature.format(of: head, isFinal: true) == .unknown {
      return switch JSONTable.finding(in: Array(head).span, isFinal: true) {
      case .lists:
        "a JSON document whose positions are lists of numbers, and which of them is the latitude "
          + "is not certain; write latitude and longitude by their names"
      case .untimed:
        "a JSON document of positions without times; --columns time=NAME names a member that has them"
      case .table, .ownFix, nil: "a JSON document of a kind that is not known" + members(of: head)
      }
    }
    if let name = RawReceiver.name(of: head) {
      return "the raw data of a receiver (\(name)) cannot be read; "
        + command("decode", plainPath) { "gpsdecode -j <\($0) | waymark replay -" }
    }
    return isBinary(head) ? "the file is binary, of a format that is not known" : unknown
  }

  /// What a JSON document has, and what was expected in it.
  private static func members(of head: ArraySlice<UInt8>) -> String {
    let names = JSONSignature.members(of: head)
    guard !names.isEmpty else { return "" }
    return ": found the members \(CSVHeader.list(names)), expected records with time, latitude and "
      + "longitude"
  }

  /// Whether the bytes begin a ZIP archive.
  ///
  /// Files that are archives are read as folders are, so these are in another archive or in a pipe.
  static func isArchive(_ head: ArraySlice<UInt8>) -> Bool {
    head.starts(with: [0x50, 0x4B, 0x03, 0x04])
  }

  static let archive =
    "a ZIP archive can be read from a file of its own alone, not from a pipe or another archive; "
    + "unpack it first"

  static let unknown = "the format is not known"

  static let webPage =
    "a web page cannot be read; it may be a login page that was saved in the place of the track: "
    + "download the track again"

  /// Whether a file begins as a web page does, which is seldom XML; nil when it is too short.
  static func isWebPage(_ head: Span<UInt8>) -> Bool? {
    // The length of a byte order mark.
    guard head.count >= 3 else { return nil }
    var start = head.beginsWithByteOrderMark ? 3 : 0
    while start < head.count, isXMLSpace(head[start]) { start += 1 }
    var found: Bool? = false
    for opening in ["<!doctype html", "<html"].map({ Array($0.utf8) }) {
      let same = zip(start..<head.count, opening).prefix { head[$0].lowercased == $1 }.count
      if same == opening.count { return true }
      if start + same == head.count { found = nil }
    }
    return found
  }

  /// Whether the bytes are no text in UTF-8: they contain controls that texts do not have.
  static func isBinary(_ head: ArraySlice<UInt8>) -> Bool {
    head.prefix(512).contains { $0.isBinaryControl }
  }

  /// What a file of one of these kinds is, such as `a Zstandard file`; nil for any other.
  package static func name(of head: ArraySlice<UInt8>) -> String? {
    kinds.first { $0.begins(head) }?.name
  }

  /// Whether a file begins like one of these.
  static func isKnown(_ head: ArraySlice<UInt8>) -> Bool {
    isArchive(head) || kinds.contains { $0.begins(head) }
  }

  /// What a file is that must be unpacked before anything can be read, gzip and ZIP among them; nil for
  /// other files.
  package static func packedName(of bytes: ArraySlice<UInt8>) -> String? {
    if bytes.starts(with: [0x1F, 0x8B]) { return "a gzip file" }
    return isArchive(bytes) ? "a ZIP archive" : packed.first { $0.begins(bytes) }?.name
  }

  private struct Kind: Sendable {
    let name: String
    /// Bytes that such files have, and where.
    private let signature: [UInt8]
    private let offset: Int
    /// Whether the program of the advice decompresses gzip.
    let takesGzip: Bool
    let advice: @Sendable (String?) -> String

    init(
      _ name: String, _ signature: [UInt8], at offset: Int = 0, takesGzip: Bool = false,
      advice: @escaping @Sendable (String?) -> String
    ) {
      (self.name, self.signature, self.offset) = (name, signature, offset)
      (self.takesGzip, self.advice) = (takesGzip, advice)
    }

    func begins(_ head: ArraySlice<UInt8>) -> Bool {
      head.dropFirst(offset).starts(with: signature)
    }
  }

  private static let packed: [Kind] = [
    Kind("an xz file", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], advice: unpack("xz -dc")),
    Kind("a bzip2 file", Array("BZh".utf8), advice: unpack("bzip2 -dc")),
    Kind("a Zstandard file", [0x28, 0xB5, 0x2F, 0xFD], advice: unpack("zstd -dc")),
    Kind("a 7-Zip archive", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], advice: unpack("7z x -so")),
    Kind("a RAR archive", Array("Rar!\u{1A}\u{7}".utf8), advice: unpackAll("unrar x")),
    Kind(
      "a tar archive", Array("ustar".utf8), at: 257, takesGzip: true, advice: unpackAll("tar -xf")),
  ]

  private static let others: [Kind] = [
    Kind("a Garmin GDB file", Array("MsRcf".utf8), advice: gpsbabel("gdb")),
    Kind("an SQLite database", Array("SQLite format 3\0".utf8)) { _ in
      "export its tracks as one of the formats below"
    },
    Kind("a Parquet file", Array("PAR1".utf8), advice: writeCSV("DuckDB or pandas")),
    Kind("an Arrow file", Array("ARROW1".utf8), advice: writeCSV("pandas")),
    Kind(
      "an old office document", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
      advice: writeCSV("the program that opens it")),
    Kind("a PDF document", Array("%PDF-".utf8)) { _ in
      "export one of the formats below where it was made"
    },
  ]

  private static let kinds = packed + others

  @Sendable private static func unpackAll(_ program: String) -> @Sendable (String?) -> String {
    { path in
      command("unpack", path, " into a folder, and name that") { "\(program) \($0)" }
    }
  }

  @Sendable private static func writeCSV(_ program: String) -> @Sendable (String?) -> String {
    { _ in "save its table as CSV, with \(program)" }
  }

  @Sendable private static func gpsbabel(_ format: String) -> @Sendable (String?) -> String {
    { path in
      command("convert", path) { "gpsbabel -t -i \(format) -f \($0) -o gpx -F track.gpx" }
    }
  }

  @Sendable private static func unpack(_ program: String) -> @Sendable (String?) -> String {
    { path in command("unpack", path) { "\(program) \($0) | waymark replay -" } }
  }

  /// A command for a file; without a path, for a copy that must be saved first.
  private static func command(
    _ verb: String, _ path: String?, _ rest: String = "", _ command: (String) -> String
  ) -> String {
    guard let path else {
      return "save it, unpacked, as FILE, then \(verb) that\(rest): \(command("FILE"))"
    }
    return "\(verb) it\(rest): \(command(path.quoted))"
  }
}

extension String {
  /// The text as a word for a shell.
  fileprivate var quoted: String {
    let isPlain = utf8.allSatisfy {
      $0 >= 0x80 || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || 0x2B...0x3A ~= $0 || $0 == 0x5F
    }
    return isPlain ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }
}
