internal import Glibc
internal import Traces

/// The lines of standard input, many at a time.
///
/// It gives what is there: it waits only while there is no whole line, so that whoever waits for
/// events has those of every line that was written.
struct PipeInput: ~Copyable {
  /// What was read; ``read()`` tells which part of it is whole lines.
  private(set) var bytes: [UInt8]
  /// Why it could not be read to its end, when that is no fault of the system: gzip that is damaged.
  private(set) var damage: String?

  private var source: ByteSource
  private var filled = 0
  /// End of the lines that were given.
  private var given = 0
  private var isAtEnd = false
  private let isPipe: Bool

  /// A line of which more than this is there can be nothing but too long.
  private static let longestLine = 128 << 10

  /// Opens a file, or standard input for `-`.
  ///
  /// - Parameters:
  ///   - size: Most bytes that are given at a time.
  init(path: String, size: Int) throws(TraceError) {
    source = try ByteSource(path: path)
    isPipe = path == "-"
    bytes = [UInt8](repeating: 0, count: max(size, 2 * Self.longestLine))
  }

  /// The next lines, as a range of ``bytes``; nil at the end.
  ///
  /// Each ends with a line feed, but for the last one of all.
  mutating func read() throws(TraceError) -> Range<Int>? {
    moveRest()
    var end: Int?
    while !isAtEnd {
      if filled == bytes.count {
        if end != nil { break }
        // The rest of an endless line is of no use; the reader sees that there was too much.
        filled = Self.longestLine
      }
      if end != nil, !isReady { break }
      switch try source.read(into: &bytes, at: filled) {
      case .bytes(let count):
        let new = filled..<filled + count
        filled += count
        end = bytes[new].lastIndex(of: UInt8(ascii: "\n")) ?? end
      case .end: isAtEnd = true
      case .damaged(let reason): (damage, isAtEnd) = (reason, true)
      }
    }
    given = isAtEnd ? filled : end.map { $0 + 1 } ?? 0
    return given > 0 ? 0..<given : nil
  }

  /// What is left of the last lines goes to the front.
  private mutating func moveRest() {
    let rest = filled - given
    if given > 0, rest > 0 {
      bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        // Both parts are within the buffer: given + rest is what was filled.
        memmove(base, base + given, rest)
      }
    }
    (filled, given) = (rest, 0)
  }

  /// Whether there is more to be read without waiting.
  private var isReady: Bool {
    guard isPipe else { return true }
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}
