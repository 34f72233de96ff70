package import Tracking

/// What was found in the background while it is not known whether the program may have it (11.2).
///
/// A later event takes the place of an earlier one, and one that has become old is dropped.
package struct HeldEvent<Content: Sendable>: Sendable {
  private var content: Content?
  private var time = Timestamp.distantPast

  /// The longest that an event waits for the user, seconds of engine time.
  ///
  /// Our own choice, as Apple only says "too old": whoever asks where one is wants no place of an
  /// hour ago.
  package static var patience: Double { 300 }

  package init() {}

  /// Keeps what happened at `time`.
  package mutating func hold(_ content: Content, at time: Timestamp) {
    (self.content, self.time) = (content, time)
  }

  /// What was kept, once; nil when it is too old at `now`.
  package mutating func release(at now: Timestamp) -> Content? {
    defer { content = nil }
    return now.seconds(since: time) <= Self.patience ? content : nil
  }

  /// Forgets it.
  package mutating func drop() { content = nil }
}
