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
  /// The number of bytes read, before decompression; of an entry of an archive, unpacked.
  package private(set) var bytesRead = 0
  /// The size of the source, in the same way; nil when it is unknown (a pipe).
  package let totalBytes: Int?
  /// Whether another program can read the source by its path: no pipe, and no entry of an archive.
  package var isFile: Bool { isOwner && totalBytes != nil }
  /// Whether the bytes are decompressed, as far as they have been read.
  package var isCompressed: Bool { inflater != nil }

  /// Below 0 while the file is closed, to be opened again.
  private var descriptor: Int32
  private let isOwner: Bool
  /// Identifies the file, so another one of the same name is not taken for it.
  private let identity: Identity
  private var isBegun = false
  private var inflater: Inflater?
  private var packedStep = 64 << 10
  /// The entry of an archive that is read instead of a file.
  private var entry: ZipEntryReader?
  /// The packed size of an entry.
  private let entrySize: Int
  /// Why an entry cannot be read on.
  private var damage: String?

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
    entrySize = .max
  }

  /// The bytes of an entry of an archive.
  package init(_ entry: ZipEntry) {
    (path, totalBytes) = (entry.path, entry.size)
    (descriptor, isOwner, identity) = (-1, false, entry.identity)
    entrySize = entry.packedSize
    self.entry = ZipEntryReader(entry)
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
    entry?.rest()
    guard isOwner, totalBytes != nil, descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  private mutating func reopen() throws(TraceError) {
    guard descriptor < 0 else { return }
    let opened = try Self.openRegular(path, identity).descriptor
    guard lseek(opened, off_t(bytesRead), SEEK_SET) == bytesRead else {
      defer { close(opened) }
      throw Self.failure(path, errno)
    }
    descriptor = opened
  }

  /// Tells a file from another one of the same path.
  struct Identity: Sendable, Hashable {
    var device: dev_t
    var inode: ino_t
  }

  /// Opens a regular file, never a pipe, which could make the program wait.
  ///
  /// - Parameter identity: Of the file that must have this path; nil for any.
  static func openRegular(
    _ path: String, _ identity: Identity?
  ) throws(TraceError) -> (descriptor: Int32, size: Int, identity: Identity) {
    var state = stat()
    guard stat(path, &state) == 0 else { throw failure(path, errno) }
    // A pipe that is opened and closed again would be the end of its writer.
    guard state.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path: path, reason: WholeFile.Failure.notRegular.reason)
    }
    let opened = retried { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard opened >= 0 else { throw failure(path, errno) }
    let (_, size, found) = status(of: opened)
    if identity == nil || found == identity { return (opened, size, found) }
    close(opened)
    throw .unreadable(
      path: path, reason: "it was replaced by another file while it was read")
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
      if let count = plainStart { return chunk(count) }
    }
    if inflater != nil { return try unpack(into: &buffer, at: offset) }
    return chunk(try readPlain(&buffer, offset))
  }

  private func chunk(_ count: Int) -> Chunk {
    count > 0 ? .bytes(count) : damage.map(Chunk.damaged) ?? .end
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
    guard let inflater = Inflater(start: buffer[offset..<offset + count], packed: entrySize)
    else {
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
      case .damaged(let reason): return .damaged(damage ?? reason)
      case .end: return chunk(0)
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
    if let state = try entry?.read(into: &buffer, at: offset) { return note(state) }
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

  /// The number of bytes that an entry gave.
  private mutating func note(_ state: ZipEntryReader.State) -> Int {
    switch state {
    case .bytes(let count):
      bytesRead += count
      return count
    case .end: return 0
    case .damaged(let reason):
      damage = reason
      return 0
    }
  }

  static func failure(_ path: String, _ code: Int32) -> TraceError {
    if code == ENOENT { return .notFound(path: path) }
    return .unreadable(path: path, reason: SystemError(code: code).description)
  }
}
