/// Splits the bytes of a client into requests, independent of packet boundaries.
///
/// A request ends at a semicolon outside of quotes, or at the end of a line. Memory is bounded: a
/// request longer than ``longest`` is an error, after which nothing is read.
struct RequestReader {
  enum Result: Hashable {
    case request(GPSDRequest)
    /// A request is too long; nothing more is read of this client.
    case oversized
  }

  /// Most bytes of a request; the longest sensible one has a path of 127 bytes in it.
  static let longest = 4_096

  private var bytes: [UInt8] = []
  /// Where the current request begins, and how far it was searched for its end.
  private var start = 0
  private var scanned = 0
  private var isQuoted = false
  private var isEscaped = false

  /// Takes bytes of the client.
  mutating func take(_ more: some Sequence<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      (start, scanned) = (0, scanned - start)
    }
    bytes.append(contentsOf: more)
  }

  /// The next request; nil when it needs more bytes.
  /// - Complexity: O(1) a byte, however the bytes are split.
  mutating func next() -> Result? {
    while scanned < bytes.count {
      let byte = bytes[scanned]
      scanned += 1
      guard isEnd(byte) else {
        if scanned - start > Self.longest { return .oversized }
        continue
      }
      let request = start..<scanned - 1
      start = scanned
      (isQuoted, isEscaped) = (false, false)
      guard bytes[request].contains(where: { $0 > 0x20 }) else { continue }
      return .request(GPSDRequest(parsing: bytes.span.extracting(request)))
    }
    return nil
  }

  private mutating func isEnd(_ byte: UInt8) -> Bool {
    if byte == UInt8(ascii: "\n") { return true }
    if isEscaped {
      isEscaped = false
    } else if isQuoted, byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isQuoted.toggle()
    } else if byte == UInt8(ascii: ";") {
      return !isQuoted
    }
    return false
  }
}
