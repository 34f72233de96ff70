internal import CMosquitto
internal import System

/// What a broker sends to a client that keeps a session.
///
/// libmosquitto queues the acknowledgement of a message when it reads it; ``send(_:)`` sends what is queued.
extension MQTTConnection {
  /// A message that was published.
  struct Publication {
    var topic: String
    var payload: [UInt8]
  }

  /// The most messages that are read at once.
  private static let mostAtOnce: Int32 = 64

  /// Subscribes to topics with QoS 1; the answer counts in ``subscriptions``.
  func subscribe(to topics: String) throws(MQTTFailure) {
    try check(waymark_mosquitto_subscribe(client, topics))
  }

  /// How many subscriptions the broker has answered.
  ///
  /// - Throws: ``MQTTFailure/refused(_:)`` when it refused one.
  func subscriptions() throws(MQTTFailure) -> Int {
    let code = client.pointee.refusal
    guard code == 0 else {
      throw .refused(refusal("the topics", code, advice: "the broker's access list"))
    }
    return Int(client.pointee.subscribed)
  }

  /// Whether the broker granted a subscription without acknowledgements.
  var isUnacknowledged: Bool { client.pointee.unacknowledged > 0 }

  /// Sends what is queued, and pings an idle broker.
  func send(_ ready: Poller.Readiness) throws(MQTTFailure) {
    if ready.contains(.write) { try check(waymark_mosquitto_write(client)) }
    try check(waymark_mosquitto_keep_alive(client))
  }

  /// Reads what has arrived; returns whether there may be more.
  ///
  /// - Throws: ``MQTTFailure/unreadable(_:)`` when a message cannot be read.
  func receive() throws(MQTTFailure) -> Bool {
    var hasMore: Int32 = 0
    let code = waymark_mosquitto_read_all(client, Self.mostAtOnce, &hasMore)
    if code == Self.malformedText { throw .unreadable(text(code)) }
    try check(code)
    return hasMore != 0
  }

  /// MOSQ_ERR_MALFORMED_UTF8 of mosquitto.h: a broker passed on a topic that is not UTF-8, or has control
  /// characters.
  private static let malformedText: Int32 = 18

  /// Removes and returns the messages that were read, in their order.
  func takeMessages() -> [Publication] {
    var messages: [Publication] = []
    while let message = waymark_mosquitto_take(client) {
      // Both live until the message is freed.
      let payload = UnsafeBufferPointer(start: message.pointee.payload, count: message.pointee.size)
      messages.append(
        Publication(topic: String(cString: message.pointee.topic), payload: Array(payload)))
      waymark_mosquitto_free(message)
    }
    return messages
  }
}
