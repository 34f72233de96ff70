internal import Tracking

/// The event log over MQTT: `<topic>/<device>/event`, and `<topic>/<device>/<fence>/state`.
struct WaymarkDialect: MQTTDialect {
  let topic: String

  func messages(for delivery: Delivery, _ presence: DevicePresence) -> [MQTTMessage] {
    let device = MQTTName.level(delivery.event.device)
    let event = MQTTMessage(
      topic: "\(topic)/\(device)/event", payload: delivery.json, isJSON: true, id: delivery.id)
    // The state comes first: whoever handles the event then sees it.
    // Nothing of a fence that has left the config, though its event waited until now.
    let fence = delivery.event.fence.flatMap { presence.states[$0] == nil ? nil : $0 }
    let states = fence.map { [state(in: $0, presence)] } ?? []
    return states + [event]
  }

  func announcement(of presence: DevicePresence, _ fences: [FenceSummary]) -> [MQTTMessage] {
    fences.map { state(in: $0.id, presence) }
  }

  func withdrawal(of fence: String, from device: String) -> [MQTTMessage] {
    [.removal(stateTopic(fence, device))]
  }

  private func state(in fence: String, _ presence: DevicePresence) -> MQTTMessage {
    MQTTMessage(
      topic: stateTopic(fence, presence.device), payload: presence.state(in: fence).rawValue,
      isRetained: true)
  }

  private func stateTopic(_ fence: String, _ device: String) -> String {
    "\(topic)/\(MQTTName.level(device))/\(MQTTName.level(fence))/state"
  }
}
