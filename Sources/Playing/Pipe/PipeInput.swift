internal import Glibc
internal import Traces

/// The lines of the input, many at a time.
///
/// It waits only while there is no complete line, so a reader of the events gets those of every line
/// that was written.
struct PipeInput: ~Copyable {
  /// The bytes read; ``read()`` returns the range of complete lines.
  private(set) var bytes: [UInt8]
  /// Why it could not be read to its end although the system reported no error: damaged gzip.
  private(set) var damage: String?

  private var source: ByteSource
  private var filled = 0
  /// The end of the lines that were returned.
  private var given = 0
  private var isAtEnd = false
  private let isPipe: Bool
  /// What was read; nil when nobody asks for it.
  private(set) var mark: PipeInputMark?
  /// How it goes on, when it begins as an earlier input; else nil.
  private(set) var repetition: PipeInputRepetition?
  /// The end of the complete lines that ``begins(as:)`` has read.
  private var linesEnd: Int?

  /// A line of more bytes is too long for the reader.
  private static let longestLine = 128 << 10

  /// Opens a file, or standard input for `-`.
  ///
  /// - Parameters:
  ///   - size: The most bytes returned at a time.
  ///   - isMarked: Whether to compute its ``mark``.
  init(path: String, size: Int, isMarked: Bool = false) throws(TraceError) {
    if isMarked { mark = PipeInputMark() }
    source = try ByteSource(path: path)
    isPipe = path == "-"
    bytes = [UInt8](repeating: 0, count: max(size, 2 * Self.longestLine))
  }

  /// The next lines, as a range of ``bytes``; nil at the end.
  ///
  /// Each ends with a line feed, except perhaps the last line of the input.
  mutating func read() throws(TraceError) -> Range<Int>? {
    moveRest()
    var end = linesEnd
    linesEnd = nil
    while !isAtEnd {
      if filled == bytes.count {
        if end != nil { break }
        // The rest of an endless line is dropped; the reader reports the line as too long.
        filled = Self.longestLine
      }
      if end != nil, !isReady { break }
      end = try fill() ?? end
    }
    given = isAtEnd ? filled : end.map { $0 + 1 } ?? 0
    return given > 0 ? 0..<given : nil
  }

  /// The bytes that were read and not passed, when the input has no lines.
  var waiting: Range<Int> { given..<filled }

  /// Waits for so many bytes in ``waiting``; returns false when the input ends before.
  mutating func wait(for count: Int) throws(TraceError) -> Bool {
    while filled - given < count, !isAtEnd {
      if filled == bytes.count {
        if given > 0 {
          moveRest()
          given = 0
        } else {
          // Only what has come takes memory, whatever a message claims.
          bytes.append(contentsOf: repeatElement(0, count: bytes.count))
        }
      }
      _ = try fill()
    }
    return filled - given >= count
  }

  /// Passes bytes of ``waiting``.
  mutating func pass(_ count: Int) { given += count }

  /// Whether the input begins as an earlier one, which was not empty; call it before ``read()``.
  ///
  /// It waits only as long as the bytes are those of the earlier input.
  mutating func begins(as earlier: PipeInputMark) throws(TraceError) -> Bool {
    let start = earlier.start
    while filled < start.count, !isAtEnd, bytes[..<filled].elementsEqual(start[..<filled]) {
      linesEnd = try fill() ?? linesEnd
    }
    let count = min(filled, start.count)
    guard count > 0, bytes[..<count].elementsEqual(start[..<count]) else { return false }
    var repetition = PipeInputRepetition(of: earlier)
    repetition.add(bytes[..<filled])
    self.repetition = repetition
    return true
  }

  /// Reads more bytes; returns the last line feed among them.
  private mutating func fill() throws(TraceError) -> Int? {
    switch try source.read(into: &bytes, at: filled) {
    case .bytes(let count):
      let new = filled..<filled + count
      filled += count
      mark?.add(bytes[new])
      repetition?.add(bytes[new])
      return bytes[new].lastIndex(of: UInt8(ascii: "\n"))
    case .end: isAtEnd = true
    case .damaged(let reason): (damage, isAtEnd) = (reason, true)
    }
    return nil
  }

  /// Moves the incomplete last line to the front.
  private mutating func moveRest() {
    let rest = filled - given
    if given > 0, rest > 0 {
      bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        // Both parts are within the buffer: given + rest equals the filled size.
        memmove(base, base + given, rest)
      }
    }
    (filled, given) = (rest, 0)
  }

  /// Whether more can be read without waiting.
  private var isReady: Bool {
    guard isPipe else { return true }
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}
