import Dispatch
import Foundation
import Glibc

/// Named pipes that a program under test should not wait for.
package enum NamedPipes {
  /// Opens the pipe for writing after ``patience``, so a program that waits for a writer fails instead of
  /// hanging.
  ///
  /// A shorter wait could end on a busy machine before the program has looked.
  ///
  /// - Returns: Ends the wait.
  package static func release(_ path: String) -> () -> Void {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      guard !isDone.waitInTime() else { return }
      let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 { close(descriptor) }
    }
    return { isDone.signal() }
  }
}
