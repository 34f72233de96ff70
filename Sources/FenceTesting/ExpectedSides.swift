internal import Settings
internal import Tracking

/// The sides of fences on which a device must be at a time.
struct ExpectedSides: Sendable {
  var place: ConfigurationPlace
  var time: Timestamp
  var inside: [String]
  var outside: [String]
  /// Nil for the only device of the track.
  var device: String?
}
