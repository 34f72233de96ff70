/// What waits for one client's thread: a scheduler calls it when its turn has come.
package protocol ScheduledQueue: AnyObject, Sendable {
  /// Delivers the entries that are there now.
  func drain()
  /// Delivers the oldest entry, without holding a lock.
  func deliverNext()
}
