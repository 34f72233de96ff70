internal import Session
internal import Tracking

/// What a broker gets besides events: the fences, and where each device is now.
///
/// Its fences and devices are those of the receiver. The thread of the receiver uses it.
protocol PresenceSource: AnyObject {
  /// The fences of the config.
  func fences() -> [FenceSummary]

  /// The ids of fences that were in the config, which a broker has to forget.
  func formerFences() throws(EntryStoreError) -> [String]

  /// Every device that has reported an event.
  func presences() throws(EntryStoreError) -> [DevicePresence]

  /// One device; without states and an event when it is unknown.
  ///
  /// It includes every event that was delivered so far, and the one that is delivered now.
  func presence(of device: String) throws(EntryStoreError) -> DevicePresence
}

/// A fence as a circle.
struct FenceSummary: Sendable, Hashable {
  var id: String
  /// The centre, degrees.
  var latitude: Double
  var longitude: Double
  /// Metres; of a polygon, those of a circle around it.
  var radius: Double
}

/// Where a device is now.
struct DevicePresence: Sendable, Hashable {
  var device: String
  /// By the id of the fence, of fences in the config; a fence that is missing is unknown.
  var states: [String: Containment] = [:]
  /// The last event with a position.
  var lastEvent: OutgoingEvent?

  /// Whether the device is in a fence.
  func state(in fence: String) -> Containment { states[fence] ?? .unknown }

  /// The ids of the fences in which the device is, sorted.
  var fencesInside: [String] { states.filter { $0.value == .inside }.keys.sorted() }
}
