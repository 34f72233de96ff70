internal import struct Synchronization.Atomic

/// The number of a service's manager queues above their threshold.
///
/// A recording checks this one number after every fix, not each queue.
final class FullQueueCounter: Sendable {
  private let count = Atomic(0)

  /// Whether no queue is above its threshold.
  var isZero: Bool { count.load(ordering: .acquiring) == 0 }

  /// Counts a queue that became full, or stopped being so.
  func queueChanged(isFull: Bool) { count.add(isFull ? 1 : -1, ordering: .acquiringAndReleasing) }
}
