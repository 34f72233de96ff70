/// The orientation of a device, to which headings refer.
public enum CLDeviceOrientation: Int32, Sendable {
  /// Unknown; no effect when assigned.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Upright, with the top at the bottom.
  case portraitUpsideDown = 2
  /// On its side, the top to the left.
  case landscapeLeft = 3
  /// On its side, the top to the right.
  case landscapeRight = 4
  /// On its back; no effect when assigned.
  case faceUp = 5
  /// On its face; no effect when assigned.
  case faceDown = 6
}

extension CLDeviceOrientation {
  /// How far the side that is up lies to the right of the device's top, degrees; nil when no side is up.
  var offset: Double? {
    switch self {
    case .portrait: 0
    case .landscapeLeft: 90
    case .portraitUpsideDown: 180
    case .landscapeRight: 270
    case .unknown, .faceUp, .faceDown: nil
    }
  }
}
