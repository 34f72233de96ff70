@_implementationOnly import CZlib

/// The CRC-32 of gzip (RFC 1952), by zlib: several bytes at a time.
package struct CRC32: Sendable, Hashable {
  package private(set) var value: UInt32

  package init(value: UInt32 = 0) { self.value = value }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    value = UInt32(truncatingIfNeeded: crc32_z(UInt(value), start, bytes.count))
  }
}
