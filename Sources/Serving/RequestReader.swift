/// Cuts what a client sends into requests, wherever the network has cut it.
///
/// A request ends at a semicolon that is not in quotes, or at the end of a line. Memory is bounded:
/// a request that is longer than ``longest`` is an error, behind which nothing is read.
struct RequestReader {
  enum Piece: Hashable {
    case request(GPSDRequest)
    /// The request has no end: nothing can be read of this client any more.
    case endless
  }

  /// Most bytes of a request; the longest sensible one has a path of 127 bytes in it.
  static let longest = 4_096

  private var bytes: [UInt8] = []
  /// Where the request begins that is read now, and how far its end has been looked for.
  private var start = 0
  private var scanned = 0
  private var isQuoted = false
  private var isEscaped = false

  /// Takes what came.
  mutating func take(_ more: some Sequence<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      (start, scanned) = (0, scanned - start)
    }
    bytes.append(contentsOf: more)
  }

  /// The next request; nil when more must come first.
  /// - Complexity: O(1) a byte, however the bytes are cut.
  mutating func next() -> Piece? {
    while scanned < bytes.count {
      let byte = bytes[scanned]
      scanned += 1
      guard isEnd(byte) else {
        if scanned - start > Self.longest { return .endless }
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
