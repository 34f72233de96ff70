internal import Glibc
internal import System

/// The bytes of a file or of standard input, decompressed when they are gzip.
///
/// It owns a file descriptor, so it cannot be copied; it uses a constant amount of memory.
package struct ByteSource: ~Copyable {
  /// The result of one read.
  package enum Chunk: Sendable, Hashable {
    /// That many bytes, at least one.
    case bytes(Int)
    /// The end of the source.
    case end
    /// The rest cannot be decompressed, for this reason.
    case damaged(String)
  }

  /// The path or name of the source, for messages.
  package let path: String
  /// The number of bytes read, before decompression.
  package private(set) var bytesRead = 0
  /// The size of the source before decompression; nil when it is unknown (a pipe).
  package let totalBytes: Int?

  /// Below 0 while the file is closed, to be opened again.
  private var descriptor: Int32
  private let isOwner: Bool
  /// Identifies the file, so another one of the same name is not taken for it.
  private let identity: Identity
  private var isBegun = false
  private var inflater: Inflater?
  private var packedStep = 64 << 10

  /// Opens a file, or standard input when `path` is `-`.
  ///
  /// - Parameter waitsForWriter: Whether it waits until another program opens a named pipe for writing,
  ///   as `cat` does; otherwise a pipe without a writer is an error when it is read.
  package init(path: String, waitsForWriter: Bool = true) throws(TraceError) {
    let isInput = path == "-"
    let flags = O_RDONLY | O_CLOEXEC | (waitsForWriter ? 0 : O_NONBLOCK)
    let descriptor = isInput ? STDIN_FILENO : retried { open(path, flags) }
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    let (kind, size, identity) = Self.status(of: descriptor)
    if kind == S_IFDIR {
      close(descriptor)
      throw Self.failure(path, EISDIR)
    }
    self.path = isInput ? "standard input" : path
    self.descriptor = descriptor
    isOwner = !isInput
    self.identity = identity
    totalBytes = kind == S_IFREG ? size : nil
  }

  deinit {
    if isOwner, descriptor >= 0 { close(descriptor) }
  }

  /// Closes the descriptor; the next read opens the file again.
  ///
  /// Only a regular file can be read again, so any other descriptor stays open.
  ///
  /// - Parameter step: The number of compressed bytes per read from now on.
  package mutating func rest(step: Int) {
    packedStep = step
    guard isOwner, totalBytes != nil, descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  private mutating func reopen() throws(TraceError) {
    guard descriptor < 0 else { return }
    let path = path
    let opened = retried { open(path, O_RDONLY | O_CLOEXEC) }
    guard opened >= 0 else { throw Self.failure(path, errno) }
    guard Self.status(of: opened).identity == identity,
      lseek(opened, off_t(bytesRead), SEEK_SET) == bytesRead
    else {
      close(opened)
      throw .unreadable(path: path, reason: "it was replaced by another file while it was read")
    }
    descriptor = opened
  }

  private struct Identity: Equatable {
    var device: dev_t
    var inode: ino_t
  }

  private static func status(
    of descriptor: Int32
  ) -> (kind: mode_t, size: Int, identity: Identity) {
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    return (kind, Int(status.st_size), Identity(device: status.st_dev, inode: status.st_ino))
  }

  /// Reads into `buffer` from `offset` on, as much as is available without waiting.
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

  /// The number of bytes that ``begin`` left in the buffer when they are not gzip.
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
      throw TraceError.unreadable(path: path, reason: "out of memory while decompressing")
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
        var input = inflater?.takeInput(of: packedStep) ?? []
        let count = try readPlain(&input, 0)
        inflater?.feed(input, count)
      }
    }
  }

  private mutating func readPlain(_ buffer: inout [UInt8], _ offset: Int) throws(TraceError) -> Int
  {
    guard offset < buffer.count else { return 0 }
    try reopen()
    while true {
      let descriptor = descriptor
      let count = buffer.withUnsafeMutableBytes { bytes in
        // `offset` is inside the buffer, and read(2) writes no further than the rest of it.
        Glibc.read(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      }
      if count == 0, bytesRead == 0, isOwner, WholeFile.hasNoWriter(descriptor) {
        throw .unreadable(path: path, reason: WholeFile.Failure.noWriter.reason)
      }
      if count >= 0 {
        bytesRead += count
        return count
      }
      switch errno {
      case EINTR: break
      case EAGAIN: WholeFile.waitForBytes(descriptor)
      default: throw Self.failure(path, errno)
      }
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> TraceError {
    if code == ENOENT { return .notFound(path: path) }
    return .unreadable(path: path, reason: SystemError(code: code).description)
  }
}
