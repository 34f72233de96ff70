internal import Glibc

/// Memory for a table that is being built; zeroes at first.
final class FenceMemory: @unchecked Sendable {
  // Unchecked: it is written before it is shared.
  let bytes: UnsafeMutableRawBufferPointer

  /// Bytes of the large pages that processors have.
  private static var largePage: Int { 2 << 20 }

  /// Large tables get large pages, if the system has any.
  init(size: Int) {
    let isLarge = size >= 2 * Self.largePage
    bytes = .allocate(
      byteCount: size, alignment: isLarge ? Self.largePage : FenceLayout.alignment)
    // A lookup in a large table touches pages that are not in the TLB; with large pages it takes a third
    // less time. Not getting them is not an error.
    if isLarge { madvise(bytes.baseAddress, size, MADV_HUGEPAGE) }
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }
}
