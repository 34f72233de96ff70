internal import Glibc

/// Memory for a table that is being built; zeroes at first.
final class FenceMemory: @unchecked Sendable {
  // Unchecked: whoever makes it writes it before anyone else sees it.
  let bytes: UnsafeMutableRawBufferPointer

  /// Bytes of the large pages that processors have.
  private static var largePage: Int { 2 << 20 }

  init(size: Int) {
    let isLarge = size >= 2 * Self.largePage
    bytes = .allocate(
      byteCount: size, alignment: isLarge ? Self.largePage : FenceLayout.alignment)
    // A look-up in a large table touches pages that no other has touched lately: with few large
    // ones the processor knows where they all are, which saves a third of its time. Not to get them
    // is no error.
    if isLarge { madvise(bytes.baseAddress, size, MADV_HUGEPAGE) }
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }
}
