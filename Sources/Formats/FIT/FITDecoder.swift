internal import Text
import Traces

/// Reads FIT, the files of Garmin's and other makers' sport devices ("Flexible and Interoperable Data
/// Transfer Protocol").
///
/// A trace is one file or several, one after the other. A file is a header, messages, and a checksum.
/// A definition gives the layout of the data messages of one of sixteen local types. Places are bytes
/// from the beginning of the trace.
struct FITDecoder: TraceDecoder {
  /// What comes next.
  private enum Part { case header, messages, checksum }

  private(set) var isFinished = false
  /// Who made the device, and what it is.
  var producer: String? { content.producer }

  private var part = Part.header
  /// The number of bytes of the trace that are used.
  private var offset = 0
  /// Where the messages of the file end; nil when its header does not say.
  private var end: Int?
  private var checksum = FITChecksum()
  private var definitions: [FITDefinition?] = []
  private var content = FITContent()

  /// Whether a trace begins as FIT; nil when too few bytes are known.
  static func begins(_ head: ArraySlice<UInt8>) -> Bool? {
    guard let size = head.first, size >= headerSize, size < 0x20 else { return false }
    let found = head.dropFirst(8).prefix(4)
    guard signature.starts(with: found) else { return false }
    return found.count == 4 ? true : nil
  }

  private static let signature = Array(".FIT".utf8)
  /// The smallest size of a header; newer ones have a checksum of their own behind that.
  private static let headerSize = 12

  mutating func decode(
    _ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch
  ) -> Int {
    var at = 0
    while !isFinished, let used = readPart(bytes, at, &batch) {
      checksum.add(bytes, at..<at + used)
      at += used
      offset += used
    }
    if isFinal, !isFinished { finish(bytes.count - at, &batch) }
    return isFinished ? bytes.count : at
  }

  /// Reads the header, a message or the checksum at `at`; returns its size, nil when it is not whole.
  private mutating func readPart(
    _ bytes: Span<UInt8>, _ at: Int, _ batch: inout TraceBatch
  ) -> Int? {
    switch part {
    case .header: return readHeader(bytes, at, &batch)
    case .messages:
      guard offset != end else {
        part = .checksum
        return 0
      }
      guard at < bytes.count, let size = messageSize(bytes, at, &batch), !isFinished else {
        return nil
      }
      if let end, offset + size > end {
        return stop("a message is longer than the data of the file", &batch)
      }
      guard at + size <= bytes.count else { return nil }
      return readMessage(bytes, at, &batch) ? size : nil
    case .checksum: return readChecksum(bytes, at, &batch)
    }
  }

  private mutating func finish(_ rest: Int, _ batch: inout TraceBatch) {
    isFinished = true
    if part != .header || (offset == 0 && rest > 0) {
      let message =
        part == .messages && end == nil
        ? "the header of the file has no size: was its recording not finished?"
        : "the trace ends inside a file"
      return report(.truncated, offset + rest, "\(message); what is complete was read", &batch)
    }
    if rest > 0 { reportRest(&batch) }
    if offset > 0, !content.hasPosition { report(.record, 0, content.lack, &batch, .noTrack) }
  }

  // MARK: Parts

  private mutating func readHeader(
    _ bytes: Span<UInt8>, _ at: Int, _ batch: inout TraceBatch
  ) -> Int? {
    guard at < bytes.count else { return nil }
    let size = Int(bytes[at])
    guard at + Self.headerSize <= bytes.count, at + size <= bytes.count else { return nil }
    let isHeader =
      size >= Self.headerSize
      && Self.signature.indices.allSatisfy {
        bytes[at + 8 + $0] == Self.signature[$0]
      }
    guard isHeader else {
      isFinished = true
      reportRest(&batch)
      return nil
    }
    let dataSize = Self.number(bytes, at + 4, count: 4)
    end = dataSize > 0 ? offset + size + dataSize : nil
    checksum = FITChecksum()
    definitions = Array(repeating: nil, count: 16)
    content.beginFile()
    part = .messages
    if size >= Self.headerSize + 2 { checkHeader(bytes, at, &batch) }
    return size
  }

  private mutating func reportRest(_ batch: inout TraceBatch) {
    report(.malformed, offset, "found other bytes where another FIT file may begin", &batch)
  }

  private mutating func checkHeader(
    _ bytes: Span<UInt8>, _ at: Int, _ batch: inout TraceBatch
  ) {
    // 0 means that there is none.
    let found = Self.number(bytes, at + Self.headerSize, count: 2)
    guard found != 0 else { return }
    var sum = FITChecksum()
    sum.add(bytes, at..<at + Self.headerSize)
    if found != Int(sum.value) {
      report(.record, offset, Self.mismatch("of the header", found, sum), &batch, .damaged)
    }
  }

  private mutating func readChecksum(
    _ bytes: Span<UInt8>, _ at: Int, _ batch: inout TraceBatch
  ) -> Int? {
    guard at + 2 <= bytes.count else { return nil }
    let found = Self.number(bytes, at, count: 2)
    if found != Int(checksum.value) {
      let message = Self.mismatch("", found, checksum)
      report(.record, offset, "\(message); all of its messages were read", &batch, .damaged)
    }
    part = .header
    return 2
  }

  private static func mismatch(_ what: String, _ found: Int, _ expected: FITChecksum) -> String {
    "the checksum \(what.isEmpty ? "of the file" : what) is \(found), expected \(expected.value)"
  }

  // MARK: Messages

  /// The local type of a data message, whose header is short when it has a time.
  private static func localType(_ header: UInt8) -> Int {
    Int(header & 0x80 != 0 ? header >> 5 & 3 : header & 15)
  }

  private static func isDefinition(_ header: UInt8) -> Bool { header & 0xC0 == 0x40 }

  /// The size of the message at `at`; nil when that is not known.
  private mutating func messageSize(
    _ bytes: Span<UInt8>, _ at: Int, _ batch: inout TraceBatch
  ) -> Int? {
    let header = bytes[at]
    if Self.isDefinition(header) { return FITDefinition.length(bytes, at: at) }
    guard let definition = definitions[Self.localType(header)] else {
      return stop(
        "found data of the local type \(Self.localType(header)), which has no "
          + "definition before", &batch)
    }
    return 1 + definition.size
  }

  /// Reads a message that is whole; false when it cannot be read.
  private mutating func readMessage(
    _ bytes: Span<UInt8>, _ at: Int, _ batch: inout TraceBatch
  ) -> Bool {
    let header = bytes[at]
    let type = Self.localType(header)
    guard Self.isDefinition(header) else {
      guard let definition = definitions[type] else { return false }
      let step = header & 0x80 != 0 ? Int(header & 0x1F) : nil
      content.read(definition, bytes, at: at, step: step, offset: offset, into: &batch)
      return true
    }
    guard let definition = FITDefinition(bytes, at: at) else {
      _ = stop("the byte order is \(bytes[at + 2]), expected 0 or 1", &batch)
      return false
    }
    for problem in definition.problems { report(.record, offset, problem, &batch) }
    definitions[type] = definition
    return true
  }

  /// Stops reading: where the next message begins is not known.
  private mutating func stop(_ message: String, _ batch: inout TraceBatch) -> Int? {
    isFinished = true
    report(.malformed, offset, "\(message); everything before it was read", &batch, .damaged)
    return nil
  }

  private func report(
    _ kind: TraceIssue.Kind, _ offset: Int, _ message: String, _ batch: inout TraceBatch,
    _ code: IssueCode? = nil
  ) {
    batch.mark(.issue(TraceIssue(kind, byte: offset, message, code: code)))
  }

  /// A number of the header, lowest byte first.
  private static func number(_ bytes: Span<UInt8>, _ at: Int, count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
  }
}
