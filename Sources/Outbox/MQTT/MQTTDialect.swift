/// What events and the present state become in MQTT.
///
/// Functions of their arguments alone. An event gives messages about itself, which a subscriber gets
/// once and in order; and about the present, which also the oldest event of a long queue reports as it
/// is now. So presence goes to its end at once, and does not repeat all that happened.
protocol MQTTDialect: Sendable {
  /// The messages of an event of a device that is now as in `presence`.
  func messages(for delivery: Delivery, _ presence: DevicePresence) -> [MQTTMessage]

  /// What a subscriber must know of a device before its events: after each new connection, because a
  /// broker may have forgotten it.
  func announcement(of presence: DevicePresence, _ fences: [FenceSummary]) -> [MQTTMessage]

  /// Makes the broker forget a fence that left the config.
  func withdrawal(of fence: String, from device: String) -> [MQTTMessage]
}
