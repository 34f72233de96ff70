internal import struct Synchronization.Atomic

/// How many of a service's inboxes hold so much that a recording waits, so that it need not ask each
/// of them after every fix.
final class Room: Sendable {
  private let crowded = Atomic(0)

  /// Whether nobody is behind.
  var isEverywhere: Bool { crowded.load(ordering: .acquiring) == 0 }

  /// One inbox more is too full, or one less.
  func note(isCrowded: Bool) { crowded.add(isCrowded ? 1 : -1, ordering: .acquiringAndReleasing) }
}
