package import Estimation

/// What one device recorded, in the order of the recording.
package struct RecordedTrack: Sendable {
  /// The name of the device.
  package var device: String
  /// The name that the recording gave this track; nil for none.
  package var name: String?
  /// The fixes; those of two segments are not joined.
  package var segments: [[Fix]]

  package init(device: String, name: String? = nil, segments: [[Fix]] = []) {
    self.device = device
    self.name = name
    self.segments = segments
  }
}
