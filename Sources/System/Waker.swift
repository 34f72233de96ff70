internal import Glibc

/// Wakes a thread that waits with ``Poller`` from another thread.
package final class Waker: Sendable {
  /// Readable from ``wake()`` to ``clear()``.
  package let descriptor: Int32
  private let writer: Int32

  /// - Throws: ``SystemError`` when no pipe can be made.
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

  /// Resets the descriptor, so the thread can wait again.
  package func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
