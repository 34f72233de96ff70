package import Settings

/// An MQTT broker, and what is published there.
package struct MQTTSettings: Sendable, Hashable {
  package enum Dialect: String, Sendable, Hashable, CaseIterable {
    case waymark, owntracks
    case homeAssistant = "home-assistant"
  }

  package var broker: BrokerSettings
  /// In the order of the config, each once.
  package var dialects: [Dialect] = [.waymark]
  /// The first level of the topics of ``Dialect/waymark``.
  package var topic = "waymark"
  /// The topics of Home Assistant's discovery.
  package var discovery = "homeassistant"
  /// The zone of Home Assistant for a fence, by the id of the fence; others are named like the fence.
  package var zones: [String: String] = [:]
  /// `wtst` of OwnTracks: when the fences were made, seconds since 1970.
  package var fencesSince: Int64 = 0

  package init(_ broker: BrokerSettings) { self.broker = broker }

  /// The user as which ``Dialect/owntracks`` publishes.
  var ownTracksUser: String { broker.user ?? "waymark" }
}
