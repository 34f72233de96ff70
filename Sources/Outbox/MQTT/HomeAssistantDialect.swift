internal import EventLog
internal import Foundation
internal import Tracking

/// Home Assistant's MQTT discovery, and the topics that it names.
///
/// A device has a tracker for presence, a tracker for its position, an event entity, and an occupancy
/// sensor for each fence. There are two trackers because Home Assistant ignores `in_zones` beside
/// coordinates. Events are not retained, because it ignores retained ones.
struct HomeAssistantDialect: MQTTDialect {
  /// The first level of the topics of discovery.
  let discovery: String
  let topic: String
  /// The topic that is `online` or `offline`.
  let availability: String
  /// The zone of a fence, by its id.
  let zones: [String: String]

  func messages(for delivery: Delivery, _ presence: DevicePresence) -> [MQTTMessage] {
    var event = JSONObject()
    event.put("event_type", delivery.event.type)
    event.put("delivery", delivery.id)
    event.put(membersOf: delivery.json)
    let message = MQTTMessage(
      topic: "\(base(presence.device))/event", payload: event.text, isJSON: true, id: delivery.id)
    // No sensor of a fence that has left the config, though its event waited until now.
    let fence = delivery.event.fence.flatMap { presence.states[$0] == nil ? nil : $0 }
    let sensor = fence.map { [occupancy(of: $0, presence)] } ?? []
    return sensor + trackers(presence) + [message]
  }

  func announcement(of presence: DevicePresence, _ fences: [FenceSummary]) -> [MQTTMessage] {
    let sensors = fences.map { occupancy(of: $0.id, presence) }
    return configurations(presence.device, fences) + sensors + trackers(presence)
  }

  func withdrawal(of fence: String, from device: String) -> [MQTTMessage] {
    [
      .removal(configurationTopic("binary_sensor", device, MQTTName.id(fence))),
      .removal(occupancyTopic(fence, device)),
    ]
  }

  // MARK: States

  private func trackers(_ presence: DevicePresence) -> [MQTTMessage] {
    var zones = JSONObject()
    zones.put("in_zones", presence.fencesInside.map(zone))
    return [
      MQTTMessage(
        topic: "\(base(presence.device))/presence", payload: zones.text, isRetained: true,
        isJSON: true)
    ] + position(presence)
  }

  private func position(_ presence: DevicePresence) -> [MQTTMessage] {
    guard let event = presence.lastEvent, let latitude = event.latitude,
      let longitude = event.longitude
    else { return [] }
    var position = JSONObject()
    position.put("latitude", latitude, decimals: 7)
    position.put("longitude", longitude, decimals: 7)
    position.put("gps_accuracy", event.accuracy, decimals: 1)
    return [
      MQTTMessage(
        topic: "\(base(presence.device))/position", payload: position.text, isRetained: true,
        isJSON: true)
    ]
  }

  private func occupancy(of fence: String, _ presence: DevicePresence) -> MQTTMessage {
    let state =
      switch presence.state(in: fence) {
      case .inside: "ON"
      case .outside: "OFF"
      // Home Assistant's word for a state that is unknown.
      case .unknown: "None"
      }
    return MQTTMessage(
      topic: occupancyTopic(fence, presence.device), payload: state, isRetained: true)
  }

  /// The zone of the settings, else one named like the fence: `zone.summer_house`.
  func zone(_ fence: String) -> String {
    if let zone = zones[fence] { return zone }
    let plain = fence.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    let words = plain.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return "zone." + words.joined(separator: "_")
  }

  // MARK: Topics and ids

  private func base(_ device: String) -> String {
    "\(topic)/home-assistant/\(MQTTName.level(device))"
  }

  private func occupancyTopic(_ fence: String, _ device: String) -> String {
    "\(base(device))/fences/\(MQTTName.level(fence))"
  }

  /// The id of a device: with the topic in it, two instances on one broker can have a device `van` each.
  private func node(_ device: String) -> String { "\(MQTTName.id(topic))__\(MQTTName.id(device))" }

  private func configurationTopic(
    _ component: String, _ device: String, _ object: String
  ) -> String {
    "\(discovery)/\(component)/\(node(device))/\(object)/config"
  }

  // MARK: Discovery

  private func configurations(_ device: String, _ fences: [FenceSummary]) -> [MQTTMessage] {
    let base = base(device)
    let trackers = [("presence", "Presence"), ("position", "Position")].map { object, name in
      configuration("device_tracker", device, object, name) { entity in
        entity.put("source_type", "gps")
        entity.put("json_attributes_topic", "\(base)/\(object)")
      }
    }
    let event = configuration("event", device, "event", "Event") { entity in
      entity.put("state_topic", "\(base)/event")
      entity.put("event_types", Self.eventTypes)
      entity.put("qos", 1)
    }
    let sensors = fences.map { fence in
      configuration("binary_sensor", device, MQTTName.id(fence.id), fence.id, kind: "fence__") {
        $0.put("device_class", "occupancy")
        $0.put("state_topic", occupancyTopic(fence.id, device))
      }
    }
    return trackers + [event] + sensors
  }

  /// Every type that a receiver can ask for: Home Assistant ignores an event of a type that is missing.
  private static let eventTypes = LogEntry.Kind.allCases
    .filter { $0 != .fix && $0 != .problem }.map(\.rawValue)

  /// - Parameter kind: Keeps the unique id of a fence from those of the other entities.
  private func configuration(
    _ component: String, _ device: String, _ object: String, _ name: String, kind: String = "",
    _ write: (inout JSONObject) -> Void
  ) -> MQTTMessage {
    var entity = JSONObject()
    entity.put("name", name)
    entity.put("unique_id", "\(node(device))__\(kind)\(object)")
    write(&entity)
    entity.put("availability_topic", availability)
    entity.put("dev", self.device(device))
    entity.put("o", Self.origin)
    return MQTTMessage(
      topic: configurationTopic(component, device, object), payload: entity.text, isRetained: true,
      isJSON: true)
  }

  private func device(_ device: String) -> JSONObject {
    var object = JSONObject()
    object.put("ids", [node(device)])
    object.put("name", device)
    object.put("mf", "Waymark")
    return object
  }

  private static let origin = {
    var object = JSONObject()
    object.put("name", "waymark")
    return object
  }()
}
