internal import struct Synchronization.Atomic

/// The number of a service's manager queues above their threshold.
///
/// A recording checks this one number after every fix, not each queue.
package final class FullQueueCounter: Sendable {
  private let count = Atomic(0)

  package init() {}

  /// Whether no queue is above its threshold.
  package var isZero: Bool { count.load(ordering: .acquiring) == 0 }

  /// Counts a queue that became full, or stopped being so.
  package func queueChanged(isFull: Bool) {
    count.add(isFull ? 1 : -1, ordering: .acquiringAndReleasing)
  }
}
