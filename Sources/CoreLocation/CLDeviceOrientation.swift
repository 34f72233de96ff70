/// How a device is held, against which headings are measured.
public enum CLDeviceOrientation: Int32, Sendable {
  /// Not known; ignored when assigned.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Upright, the top below.
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
