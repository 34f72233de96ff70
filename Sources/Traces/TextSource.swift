internal import Text

/// The bytes of a source converted to UTF-8.
package struct TextSource: ~Copyable {
  private var source: ByteSource
  private var transcoder: Transcoder?
  private var encoding = ""
  /// The first bytes, until they are read.
  private var head: [UInt8] = []
  private var headUsed = 0
  private var raw: [UInt8] = []
  /// What ended the source during the detection of the encoding.
  private var ending: ByteSource.Chunk?

  package var path: String { source.path }
  package var bytesRead: Int { source.bytesRead }
  package var totalBytes: Int? { source.totalBytes }
  package var isFile: Bool { source.isFile }
  package var isCompressed: Bool { source.isCompressed }
  /// Whether the bytes are converted.
  package var isConverted: Bool { transcoder != nil }

  /// Closes the descriptor until the next read.
  package mutating func rest(step: Int) { source.rest(step: step) }

  package init(path: String) throws(TraceError) {
    try self.init(ByteSource(path: path))
  }

  /// The text of an entry of an archive.
  package init(_ entry: ZipEntry) throws(TraceError) {
    try self.init(ByteSource(entry))
  }

  private init(_ source: consuming ByteSource) throws(TraceError) {
    let (head, ending) = try Self.readHead(&source)
    if let name = TextEncoding.found(in: head[...]) {
      transcoder = try Self.transcoder(from: name, head, source.path)
      encoding = name
    } else {
      self.head = head
    }
    self.source = source
    self.ending = ending
  }

  private static func transcoder(
    from name: String, _ head: [UInt8], _ path: String
  ) throws(TraceError) -> Transcoder {
    let isASCII = head.first == 0x3C && head.count > 1 && head[1] != 0
    let reason: String
    if isASCII && TextEncoding.isWide(name) {
      reason = "the text is not in the declared encoding '\(name)'"
    } else if let transcoder = Transcoder(from: name, start: head[...]) {
      return transcoder
    } else {
      reason = "the encoding '\(name)' is not known; convert the file to UTF-8"
    }
    throw .invalid(path: path, line: 1, column: 1, message: reason)
  }

  /// Reads until the encoding can be detected.
  private static func readHead(
    _ source: inout ByteSource
  ) throws(TraceError) -> (head: [UInt8], ending: ByteSource.Chunk?) {
    var buffer = [UInt8](repeating: 0, count: TextEncoding.head)
    var count = 0
    while count < buffer.count, !isEnough(buffer[..<count]) {
      let chunk = try source.read(into: &buffer, at: count)
      guard case .bytes(let more) = chunk else { return (Array(buffer[..<count]), chunk) }
      count += more
    }
    return (Array(buffer[..<count]), nil)
  }

  /// Whether the bytes contain an XML declaration, or enough to rule one out.
  private static func isEnough(_ head: ArraySlice<UInt8>) -> Bool {
    guard head.count >= TextEncoding.leastHead else { return false }
    return !head.drop(while: isXMLSpace).starts(with: "<?xml".utf8) || head.contains(0x3E)
  }

  /// Reads into `buffer` from `offset` on.
  package mutating func read(into buffer: inout [UInt8], at offset: Int)
    throws(TraceError) -> ByteSource.Chunk
  {
    if isConverted { return try convert(into: &buffer, at: offset) }
    if headUsed < head.count {
      let count = min(head.count - headUsed, buffer.count - offset)
      buffer.replaceSubrange(offset..<offset + count, with: head[headUsed..<headUsed + count])
      headUsed += count
      return .bytes(count)
    }
    if let ending { return ending }
    return try source.read(into: &buffer, at: offset)
  }

  private mutating func convert(into buffer: inout [UInt8], at offset: Int) throws(TraceError)
    -> ByteSource.Chunk
  {
    while true {
      guard let (count, result) = transcoder?.convert(into: &buffer, at: offset) else {
        return .end
      }
      if count > 0 { return .bytes(count) }
      if result == .invalid { return .damaged("a byte is not valid \(encoding)") }
      let isRest = transcoder?.isEmpty == false
      if let ending {
        return ending == .end && isRest ? .damaged("the last character is incomplete") : ending
      }
      if raw.isEmpty { raw = [UInt8](repeating: 0, count: 32 << 10) }
      let chunk = try source.read(into: &raw, at: 0)
      if case .bytes(let more) = chunk { transcoder?.feed(raw[..<more]) } else { ending = chunk }
    }
  }
}
