package import Tracking

/// An event found in the background, withheld until the user has decided whether the program may
/// receive it (11.2).
///
/// A later event replaces an earlier one, and an old one is dropped.
package struct WithheldEvent<Content: Sendable>: Sendable {
  private var content: Content?
  private var time = Timestamp.distantPast

  /// The longest that an event waits for the user, seconds of engine time.
  ///
  /// Our own choice, Apple's rule is only "too old": a position of an hour ago answers no question about
  /// where the device is.
  package static var patience: Double { 300 }

  package init() {}

  /// Withholds what happened at `time`.
  package mutating func hold(_ content: Content, at time: Timestamp) {
    (self.content, self.time) = (content, time)
  }

  /// What was withheld, once; nil when it is too old at `now`.
  package mutating func release(at now: Timestamp) -> Content? {
    defer { content = nil }
    return now.seconds(since: time) <= Self.patience ? content : nil
  }

  /// Drops it.
  package mutating func drop() { content = nil }
}
