import Dispatch
import Foundation
import Synchronization

/// A thread of its own that runs its loop, until it is told to end.
final class LoopThread: Sendable {
  private let isOver = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  /// Has `body` work on the thread; it returns when ``turn()`` says so, and is waited for by
  /// ``end()``.
  init(_ body: @escaping @Sendable (LoopThread) -> Void) {
    Thread.detachNewThread { [self] in
      // A loop without anything to wait for would end at once.
      let idle = Timer(timeInterval: 3_600, repeats: true) { _ in }
      RunLoop.current.add(idle, forMode: .default)
      body(self)
      idle.invalidate()
      ended.signal()
    }
  }

  /// Runs the loop of this thread for a moment; false when it is time to go.
  func turn() -> Bool {
    _ = RunLoop.current.run(mode: .default, before: Date.now + 0.01)
    return !isOver.load(ordering: .acquiring)
  }

  /// Ends it, and waits for that.
  func end() {
    isOver.store(true, ordering: .releasing)
    ended.wait()
  }
}
