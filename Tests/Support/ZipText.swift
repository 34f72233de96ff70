internal import CZlib

/// A ZIP archive that a test makes, right or wrong.
package struct ZipText {
  /// A file in it.
  package struct Entry {
    /// Its name.
    package var name: String
    /// What it holds.
    package var bytes: [UInt8]
    /// 8 is deflate, 0 is none.
    package var method: UInt16 = 8
    /// The first bit stands for encryption.
    package var flags: UInt16 = 0
    /// The size that the archive claims; nil for the true one.
    package var claimedSize: UInt32?
    /// What the archive claims besides the true checksum.
    package var checksumError: UInt32 = 0
    /// Whether its data are those of the entry before it.
    package var sharesData = false

    /// A text that is packed.
    package init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    /// Bytes that are packed.
    package init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  /// The files, in the order of the directory.
  package var entries: [Entry]

  /// An archive of these files.
  package init(_ entries: [Entry]) { self.entries = entries }

  /// The archive.
  package var bytes: [UInt8] {
    var (all, directory) = ([UInt8](), [UInt8]())
    var start = 0
    for entry in entries {
      let packed = entry.method == 8 ? Self.deflated(entry.bytes) : entry.bytes
      let common = Self.common(entry, packed.count)
      if !entry.sharesData {
        start = all.count
        all += Self.little(0x0403_4B50 as UInt32) + common + Array(entry.name.utf8) + packed
      }
      directory += Self.little(0x0201_4B50 as UInt32) + Self.little(20 as UInt16) + common
      // The comment's length, the disk, and the attributes.
      directory += [UInt8](repeating: 0, count: 10) + Self.little(UInt32(start))
      directory += Array(entry.name.utf8)
    }
    let count = Self.little(UInt16(entries.count))
    let end =
      Self.little(0x0605_4B50 as UInt32) + [0, 0, 0, 0] + count + count
      + Self.little(UInt32(directory.count)) + Self.little(UInt32(all.count)) + [0, 0]
    return all + directory + end
  }

  /// The fields from the version to the lengths, which both records of an entry have.
  private static func common(_ entry: Entry, _ packed: Int) -> [UInt8] {
    let sum = UInt32(crc32(0, entry.bytes, UInt32(entry.bytes.count))) ^ entry.checksumError
    return little(20 as UInt16) + little(entry.flags) + little(entry.method) + [0, 0, 0, 0]
      + little(sum) + little(UInt32(packed))
      + little(entry.claimedSize ?? UInt32(entry.bytes.count))
      + little(UInt16(entry.name.utf8.count)) + [0, 0]
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// Bytes packed without a header.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    // A negative window is for no header (zlib.h, deflateInit2).
    deflateInit2_(
      &stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count + 1_024))
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        deflate(&stream, Z_FINISH)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<count])
  }
}
