internal import Geodesy

extension FenceSet {
  /// Opens compiled fences without reading them: what is used is read where it lies.
  ///
  /// Only the head is checked, so that a million fences are ready at once; a polygon is made ready
  /// at its first use. Bytes that were changed after the header give wrong results, but nothing is read
  /// beyond them; ``verify()`` finds out.
  /// - Parameters:
  ///   - bytes: At an address that is a multiple of 64, as a mapped file is.
  ///   - owner: What keeps the bytes, unchanged, as long as it lives.
  /// - Throws: ``FenceFileError``.
  /// - Complexity: O(1), and a word for each polygon.
  package init(
    compiled bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable
  ) throws(FenceFileError) {
    let head = try FenceFileHead(bytes)
    self.init(table: FenceTable(bytes, head.layout, owner: owner))
  }

  /// Opens a copy of compiled fences, and verifies it.
  ///
  /// - Throws: ``FenceFileError``.
  /// - Complexity: O(bytes).
  public init(compiled bytes: [UInt8]) throws(FenceFileError) {
    let memory = FenceMemory(size: bytes.count)
    bytes.withUnsafeBytes { memory.bytes.copyMemory(from: $0) }
    self = try FenceSet(compiled: UnsafeRawBufferPointer(memory.bytes), owner: memory)
    try verify()
  }

  /// Reads all bytes of compiled fences, to see that they are as they were written.
  ///
  /// - Throws: ``FenceFileError/damagedContents``; never for a set that was not opened from bytes.
  /// - Complexity: O(bytes), some GB a second.
  public func verify() throws(FenceFileError) {
    guard let written = try? FenceFileHead(table.bytes) else { return }
    guard table.contentsChecksum == written.checksum else { throw .damagedContents }
  }

  /// Gives the compiled fences piece by piece, as they are to be written to a file.
  public func writeCompiled(_ write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    let head = FenceFileHead(table.layout, checksum: table.contentsChecksum).bytes
    try head.withUnsafeBytes(write)
    try write(table.contents)
  }
}

extension FenceTable {
  /// What follows the head.
  var contents: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes.dropFirst(FenceLayout.headerSize))
  }

  var contentsChecksum: UInt64 { Checksum.of(contents) }
}
