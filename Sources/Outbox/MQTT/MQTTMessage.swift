/// A message to publish, with QoS 1.
struct MQTTMessage: Sendable, Hashable {
  var topic: String
  var payload: String
  /// Whether the broker keeps it for later subscribers.
  var isRetained = false
  /// Whether the payload is JSON; MQTT 5 says so.
  var isJSON = false
  /// The id of the delivery, a user property `id` in MQTT 5.
  var id: String?

  /// Makes the broker forget the retained message of a topic.
  static func removal(_ topic: String) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: "", isRetained: true)
  }
}
