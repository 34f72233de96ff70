/// An MQTT broker, and what is published there.
package struct MQTTSettings: Sendable, Hashable {
  package enum Dialect: String, Sendable, Hashable, CaseIterable {
    case waymark, owntracks
    case homeAssistant = "home-assistant"
  }

  package enum Version: String, Sendable, Hashable, CaseIterable {
    case v5 = "5"
    case v311 = "3.1.1"
  }

  package var host: String
  package var port: Int
  package var usesTLS = false
  package var version = Version.v5
  package var user: String?
  package var passwordFile: String?
  /// Paths of PEM files: trusted authorities, and the certificate and key of this client.
  package var authorityFile: String?
  package var certificateFile: String?
  package var keyFile: String?
  /// The client id; the default is made of the names of the machine and the receiver.
  package var clientID: String?
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

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }
}
