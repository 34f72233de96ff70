/// A file in a ZIP archive, not unpacked.
package struct ZipEntry: Sendable, Hashable {
  /// The path of the archive, a slash, and the name in the archive.
  package let path: String
  /// The number of bytes, packed and unpacked.
  package let packedSize: Int
  package let size: Int

  let archive: String
  let identity: ByteSource.Identity
  /// Its place in the archive's directory, and its number.
  let place: UInt64
  let number: UInt64
}
