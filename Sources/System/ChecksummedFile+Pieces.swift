internal import Glibc

extension ChecksummedFile {
  /// The number of bytes in memory at a time.
  private static var pieceSize: Int { 256 << 10 }

  /// Writes a file piece by piece; only its owner can read it.
  package func write(
    to path: String, _ content: (inout Writer) throws(WholeFile.Failure) -> Void
  ) throws(WholeFile.Failure) {
    try WholeFile.replace(path) { (descriptor) throws(WholeFile.Failure) in
      // The checksum is known only at the end, so the first line is written twice.
      try WholeFile.writeAll(head(FNV1a())[...], to: descriptor)
      var writer = Writer(descriptor)
      try content(&writer)
      try writer.flush()
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw WholeFile.Failure(code: errno) }
      try WholeFile.writeAll(head(writer.sum)[...], to: descriptor)
    }
  }

  /// Writes the content of a file.
  package struct Writer {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// The checksum of what was written.
    private(set) var sum = FNV1a()

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    package mutating func append(_ bytes: [UInt8]) throws(WholeFile.Failure) {
      buffer.append(contentsOf: bytes)
      if buffer.count >= pieceSize { try flush() }
    }

    fileprivate mutating func flush() throws(WholeFile.Failure) {
      let piece = buffer
      sum.add(piece.span)
      try WholeFile.writeAll(piece[...], to: descriptor)
      buffer = []
      buffer.reserveCapacity(piece.capacity)
    }
  }

  /// Reads the content of a file piece by piece, after checking all of it.
  package struct Reader {
    private let file: OpenFile
    private var buffer: [UInt8]
    /// The part of the buffer that is still unread.
    private var left = 0..<0
    /// The number of unread bytes of the content.
    package private(set) var rest = 0
    /// The version in the first line.
    package private(set) var version = 0
    /// The checksum of the content, which was checked.
    package private(set) var checksum: UInt64 = 0

    /// Opens a file, which then is its owner's alone; one that cannot be used stays as it is.
    ///
    /// - Throws: ``ReadError`` when there is no file, or its checksum does not match.
    package init(_ kind: ChecksummedFile, path: String) throws(ReadError) {
      buffer = [UInt8](repeating: 0, count: pieceSize)
      do {
        file = try OpenFile(path)
      } catch {
        throw readError(error)
      }
      try fill()
      let (checksum, version, start) = try kind.head(of: buffer[left])
      self.version = version
      left = start..<left.upperBound
      var sum = FNV1a()
      while !left.isEmpty {
        sum.add(buffer.span.extracting(left))
        rest += left.count
        try fill()
      }
      guard checksum == digits(sum) else { throw .unusable("it is damaged") }
      self.checksum = sum.value
      WholeFile.makePrivate(file.descriptor, file.mode)
      guard lseek(file.descriptor, off_t(start), SEEK_SET) >= 0 else {
        throw .unreadable(WholeFile.Failure(code: errno).reason)
      }
    }

    /// Reads the next bytes; returns false when fewer are left.
    package mutating func read(_ count: Int, into bytes: inout [UInt8]) throws(ReadError) -> Bool {
      bytes.removeAll(keepingCapacity: true)
      guard count >= 0, count <= rest else { return false }
      while bytes.count < count {
        if left.isEmpty { try fill() }
        // Another program truncated the file.
        guard !left.isEmpty else { throw .unusable("it is damaged") }
        let piece = left.prefix(count - bytes.count)
        bytes.append(contentsOf: buffer[piece])
        left = piece.upperBound..<left.upperBound
      }
      rest -= count
      return true
    }

    /// Fills the buffer; it stays empty at the end of the file.
    private mutating func fill() throws(ReadError) {
      while true {
        let count = Glibc.read(file.descriptor, &buffer, buffer.count)
        if count >= 0 {
          left = 0..<count
          return
        }
        guard errno == EINTR else { throw readError(WholeFile.Failure(code: errno)) }
      }
    }
  }
}

/// A file that is open for reading while this object lives.
private final class OpenFile: Sendable {
  let descriptor: Int32
  let mode: mode_t

  init(_ path: String) throws(WholeFile.Failure) {
    (descriptor, mode) = try WholeFile.openRegular(path, O_RDONLY)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
