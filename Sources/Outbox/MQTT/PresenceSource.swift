package import Tracking

/// What a broker is told besides events: the fences, and where each device is now.
///
/// Its fences and devices are those of the receiver. The thread of the receiver uses it.
package protocol PresenceSource: AnyObject {
  /// The fences of the config; a broker forgets those that leave this list.
  func fences() -> [FenceSummary]

  /// Every device that has reported an event.
  func presences() -> [DevicePresence]

  /// One device; without states and an event when it is unknown.
  ///
  /// It includes every event that was delivered so far, and the one that is delivered now.
  func presence(of device: String) -> DevicePresence
}

/// A fence as a circle.
package struct FenceSummary: Sendable, Hashable {
  package var id: String
  /// The centre, degrees.
  package var latitude: Double
  package var longitude: Double
  /// Metres; of a polygon, those of a circle around it.
  package var radius: Double

  package init(id: String, latitude: Double, longitude: Double, radius: Double) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
  }
}

/// Where a device is now.
package struct DevicePresence: Sendable, Hashable {
  package var device: String
  /// By the id of the fence, of fences in the config; a fence that is missing is unknown.
  package var states: [String: Containment]
  /// The last event with a position.
  package var lastEvent: OutgoingEvent?

  package init(
    device: String, states: [String: Containment] = [:], lastEvent: OutgoingEvent? = nil
  ) {
    self.device = device
    self.states = states
    self.lastEvent = lastEvent
  }

  /// Whether the device is in a fence.
  func state(in fence: String) -> Containment { states[fence] ?? .unknown }

  /// The ids of the fences in which the device is, sorted.
  var fencesInside: [String] { states.filter { $0.value == .inside }.keys.sorted() }
}
