internal import Glibc

/// Wakes a thread that waits with ``Poller``, from any other.
package final class Waker: Sendable {
  /// Readable from ``wake()`` to ``clear()``.
  package let descriptor: Int32
  private let writer: Int32

  /// - Throws: ``SystemError`` when no pipe is to be had.
  package init() throws(SystemError) {
    (descriptor, writer) = try Pipe.make()
  }

  deinit {
    close(descriptor)
    close(writer)
  }

  /// Ends the wait of the other thread, or its next one.
  package func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes as well.
    _ = write(writer, &byte, 1)
  }

  /// Takes note that it was woken, so that it can wait again.
  package func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
