/// The JSON of OwnTracks (its booklet, chapter "JSON").
///
/// `owntracks/<user>/<device>` is the last position, retained; `…/event` an enter or a leave;
/// `…/waypoints` the fences. It has no word for a dwell, a visit or a significant change: they move the
/// position.
struct OwnTracksDialect: MQTTDialect {
  let user: String
  /// `wtst`: when the fences were made, seconds since 1970.
  let fencesSince: Int64

  func messages(for delivery: Delivery, _ presence: DevicePresence) -> [MQTTMessage] {
    let event = delivery.event
    var messages: [MQTTMessage] = []
    if let transition = transition(event) {
      messages.append(
        MQTTMessage(
          topic: "\(topic(event.device))/event", payload: transition.text, isJSON: true,
          id: delivery.id))
    }
    // A departure is decided when the device is already elsewhere.
    if event.retracted != true, event.departure == nil, let location = location(event, presence) {
      messages.append(
        MQTTMessage(
          topic: topic(event.device), payload: location.text, isRetained: true, isJSON: true,
          id: delivery.id))
    }
    return messages
  }

  func announcement(of presence: DevicePresence, _ fences: [FenceSummary]) -> [MQTTMessage] {
    let topic = topic(presence.device)
    let waypoints = MQTTMessage(
      topic: "\(topic)/waypoints", payload: waypoints(fences).text, isJSON: true)
    guard let event = presence.lastEvent, let location = location(event, presence)
    else { return [waypoints] }
    return [
      waypoints,
      MQTTMessage(topic: topic, payload: location.text, isRetained: true, isJSON: true),
    ]
  }

  func withdrawal(of fence: String, from device: String) -> [MQTTMessage] { [] }

  /// The start of the topics of a user.
  static func root(of user: String) -> String { "owntracks/\(MQTTName.level(user))/" }

  private func topic(_ device: String) -> String {
    Self.root(of: user) + MQTTName.level(device)
  }

  /// `acc`, `cog` and `vel` are left out when 0, and the regions when the event is not the last one.
  private func location(_ event: OutgoingEvent, _ presence: DevicePresence) -> JSONObject? {
    guard let latitude = event.latitude, let longitude = event.longitude,
      let time = event.time.flatMap(Self.seconds)
    else { return nil }
    var object = JSONObject()
    object.put("_type", "location")
    object.put("lat", latitude, decimals: 7)
    object.put("lon", longitude, decimals: 7)
    object.put("tst", time)
    object.put("created_at", event.decided.flatMap(Self.seconds))
    object.put("acc", Self.accuracy(event))
    object.put("cog", Self.positive(event.course))
    // Metres per second become km/h.
    object.put("vel", Self.positive(event.speed.map { $0 * 3.6 }))
    object.put("tid", Self.trackerID(event.device))
    if event.id == presence.lastEvent?.id {
      object.put("inregions", presence.fencesInside)
      object.put("inrids", presence.fencesInside.map(MQTTName.hash))
    }
    return object
  }

  /// `wtst` and `acc` are required; an accuracy that is unknown is 0, as OwnTracks has it.
  private func transition(_ event: OutgoingEvent) -> JSONObject? {
    guard event.type == "enter" || event.type == "exit", let fence = event.fence,
      let latitude = event.latitude, let longitude = event.longitude,
      let time = event.time.flatMap(Self.seconds)
    else { return nil }
    var object = JSONObject()
    object.put("_type", "transition")
    object.put("event", event.type == "enter" ? "enter" : "leave")
    object.put("desc", fence)
    object.put("rid", MQTTName.hash(fence))
    object.put("wtst", fencesSince)
    object.put("tst", time)
    object.put("lat", latitude, decimals: 7)
    object.put("lon", longitude, decimals: 7)
    object.put("acc", Self.accuracy(event) ?? 0)
    object.put("tid", Self.trackerID(event.device))
    object.put("t", "c")
    return object
  }

  private func waypoints(_ fences: [FenceSummary]) -> JSONObject {
    var object = JSONObject()
    object.put("_type", "waypoints")
    object.put(
      "waypoints",
      fences.map { fence in
        var waypoint = JSONObject()
        waypoint.put("_type", "waypoint")
        waypoint.put("desc", fence.id)
        waypoint.put("rid", MQTTName.hash(fence.id))
        waypoint.put("lat", fence.latitude, decimals: 7)
        waypoint.put("lon", fence.longitude, decimals: 7)
        waypoint.put("rad", max(1, Self.whole(fence.radius)))
        waypoint.put("tst", fencesSince)
        return waypoint
      })
    return object
  }

  /// The last two letters or digits of a name, as in the apps.
  static func trackerID(_ device: String) -> String {
    let letters = device.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return String(("wm" + letters).suffix(2))
  }

  private static func seconds(_ text: String) -> Int64? {
    OutgoingEvent.seconds(text).map { Int64($0.rounded(.down)) }
  }

  /// Rounded up, because 0 means unknown.
  private static func accuracy(_ event: OutgoingEvent) -> Int64? {
    event.accuracy.map { max(1, whole($0.rounded(.up))) }
  }

  private static func positive(_ value: Double?) -> Int64? {
    value.map(whole).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Rounded to nearest; far out of all ranges it stops at a million million.
  private static func whole(_ value: Double) -> Int64 {
    value.isNaN ? 0 : Int64(min(max(value.rounded(), -1e12), 1e12))
  }
}
