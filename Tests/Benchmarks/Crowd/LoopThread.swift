import Dispatch
import Foundation
import Synchronization

/// A thread that runs its loop until it is stopped.
///
/// The loop is left only once a second: on Linux every call of `RunLoop.run(mode:before:)` leaves about
/// 150 bytes behind, which would be most of what is measured.
final class LoopThread: Sendable {
  private let isOver = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  /// Calls `body` on the thread first, then its result every 10 ms, and `finish` at the end.
  init(_ body: @escaping @Sendable () -> (turn: () -> Void, finish: () -> Void)) {
    Thread.detachNewThread { [self] in
      // Unsafe only in name: timers of this loop fire on this thread, which alone calls them.
      nonisolated(unsafe) let (turn, finish) = body()
      let pace = Timer(timeInterval: 0.01, repeats: true) { [self] timer in
        if isOver.load(ordering: .acquiring) { timer.invalidate() } else { turn() }
      }
      RunLoop.current.add(pace, forMode: .default)
      while pace.isValid { _ = RunLoop.current.run(mode: .default, before: Date.now + 1) }
      finish()
      ended.signal()
    }
  }

  /// Stops the thread and waits for its end.
  func end() {
    isOver.store(true, ordering: .releasing)
    ended.wait()
  }
}
