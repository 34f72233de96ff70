/// What a broker keeps for a client that has no connection: its subscriptions, and their messages.
struct MQTTSession: Sendable, Hashable {
  /// How long the broker keeps it after the connection; only MQTT 5 can say so.
  var seconds: UInt32
  /// Whether what the broker has kept is dropped.
  var isNew = false

  /// The longest packet that the broker may send, bytes: a message of 1 MiB, and its topic.
  static let longestPacket: UInt32 = (1 << 20) + (64 << 10)
  /// The longest message, bytes.
  static let longestMessage = 1 << 20
}
