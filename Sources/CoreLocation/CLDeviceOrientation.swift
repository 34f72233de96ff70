/// The orientation of a device, to which headings refer.
public enum CLDeviceOrientation: Int32, Sendable {
  /// Unknown; ignored when assigned.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Upright, with the top at the bottom.
  case portraitUpsideDown = 2
  /// On its side, the top to the left.
  case landscapeLeft = 3
  /// On its side, the top to the right.
  case landscapeRight = 4
  /// On its back; ignored when assigned.
  case faceUp = 5
  /// On its face; ignored when assigned.
  case faceDown = 6
}
