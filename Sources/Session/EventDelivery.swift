/// Delivers the events of a store to receivers, beside the run that stores them.
package protocol EventDelivery: AnyObject, Sendable {
  /// Readable while there are messages, for `Poller`.
  var descriptor: Int32 { get }

  /// Removes and returns the messages since the last call.
  func takeMessages() -> [String]

  /// Ends the attempts that are being made, and waits for their threads, at most some seconds.
  func stop()
}
