internal import Glibc

/// The bytes of a file or of standard input, unpacked when they are gzip.
///
/// It owns a file descriptor, so that it cannot be copied; it holds a constant amount of memory.
package struct ByteSource: ~Copyable {
  /// What one reading gave.
  package enum Chunk: Sendable, Hashable {
    /// That many bytes, at least one.
    case bytes(Int)
    /// There are no more.
    case end
    /// The rest cannot be unpacked, for the reason given.
    case damaged(String)
  }

  /// Where the bytes come from, for messages.
  package let path: String
  /// How many bytes were read, before unpacking.
  package private(set) var bytesRead = 0
  /// How many bytes there are, before unpacking; nil when that is not known (a pipe).
  package let totalBytes: Int?

  private let descriptor: Int32
  private let isOwner: Bool
  private var isBegun = false
  private var inflater: Inflater?

  /// Opens a file, or standard input when `path` is `-`.
  package init(path: String) throws(TraceError) {
    let isInput = path == "-"
    let descriptor = isInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    if kind == S_IFDIR {
      close(descriptor)
      throw Self.failure(path, EISDIR)
    }
    self.path = isInput ? "standard input" : path
    self.descriptor = descriptor
    isOwner = !isInput
    totalBytes = kind == S_IFREG ? Int(status.st_size) : nil
  }

  deinit {
    if isOwner { close(descriptor) }
  }

  /// Reads into `buffer` from `offset` on, as much as is there without waiting for more.
  package mutating func read(into buffer: inout [UInt8], at offset: Int) throws(TraceError) -> Chunk
  {
    if !isBegun {
      isBegun = true
      try begin(&buffer, offset)
      if let count = plainStart { return count == 0 ? .end : .bytes(count) }
    }
    if inflater != nil { return try unpack(into: &buffer, at: offset) }
    let count = try readPlain(&buffer, offset)
    return count == 0 ? .end : .bytes(count)
  }

  /// How many bytes ``begin`` left in the buffer, when they are not gzip.
  private var plainStart: Int?

  /// Reads until it is clear whether the bytes are gzip (RFC 1952: 1F 8B).
  private mutating func begin(_ buffer: inout [UInt8], _ offset: Int) throws(TraceError) {
    var count = 0
    while count < 2, offset + count < buffer.count {
      let more = try readPlain(&buffer, offset + count)
      if more == 0 { break }
      count += more
    }
    guard count >= 2, buffer[offset] == 0x1F, buffer[offset + 1] == 0x8B else {
      return plainStart = count
    }
    guard let inflater = Inflater(start: buffer[offset..<offset + count]) else {
      throw TraceError.unreadable(path: path, reason: "no memory to unpack it")
    }
    self.inflater = consume inflater
  }

  private mutating func unpack(into buffer: inout [UInt8], at offset: Int) throws(TraceError)
    -> Chunk
  {
    while true {
      guard let state = inflater?.unpack(into: &buffer, at: offset) else { return .end }
      switch state {
      case .bytes(let count): return .bytes(count)
      case .damaged(let reason): return .damaged(reason)
      case .end: return .end
      case .needsInput:
        var input = inflater?.takeInput() ?? []
        let count = try readPlain(&input, 0)
        inflater?.give(input, count)
      }
    }
  }

  private mutating func readPlain(_ buffer: inout [UInt8], _ offset: Int) throws(TraceError) -> Int
  {
    guard offset < buffer.count else { return 0 }
    while true {
      let descriptor = descriptor
      let count = buffer.withUnsafeMutableBytes { bytes in
        // `offset` is inside the buffer, and read(2) writes no further than the rest of it.
        Glibc.read(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      }
      if count >= 0 {
        bytesRead += count
        return count
      }
      guard errno == EINTR else { throw Self.failure(path, errno) }
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> TraceError {
    if code == ENOENT { return .notFound(path: path) }
    // strerror's text is valid until the next call in this thread, and copied here.
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return .unreadable(path: path, reason: reason.lowercased())
  }
}
