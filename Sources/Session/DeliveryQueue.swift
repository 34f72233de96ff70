/// A receiver of events, and what waits for it.
package struct DeliveryQueue: Sendable, Hashable {
  package var name: String
  /// The number of waiting events.
  package var waiting: Int
  /// When the oldest of them was decided, in the form of the log.
  package var oldest: String?
  package var delivered: Int
  /// The number of events that were given up.
  package var dead: Int
  /// Why the last attempt failed; nil when it did not.
  package var error: String?
  /// When the next attempt is due, seconds since 1970; nil for at once.
  package var nextAttempt: Double?

  package init(
    name: String, waiting: Int, oldest: String? = nil, delivered: Int, dead: Int,
    error: String? = nil, nextAttempt: Double? = nil
  ) {
    self.name = name
    self.waiting = waiting
    self.oldest = oldest
    self.delivered = delivered
    self.dead = dead
    self.error = error
    self.nextAttempt = nextAttempt
  }
}
