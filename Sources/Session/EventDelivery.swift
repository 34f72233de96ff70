/// Delivers the events of a store to receivers, beside the run that stores them.
package protocol EventDelivery: AnyObject, Sendable {
  /// Readable while there are messages, for `Poller`.
  var descriptor: Int32 { get }

  /// Removes and returns the messages since the last call.
  func takeMessages() -> [String]

  /// Begins to look at the queues, every few seconds.
  ///
  /// - Throws: a `SystemError` when the system refuses a thread.
  func watchQueues() throws

  /// What waits for each receiver, as of the last look; empty before the first.
  var queues: [DeliveryQueue] { get }

  /// Ends the attempts that are being made, and waits for their threads, at most some seconds.
  func stop()
}
