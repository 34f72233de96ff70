/// How near a beacon is.
public enum CLProximity: Int, Sendable {
  /// Not known.
  case unknown = 0
  /// At the device.
  case immediate = 1
  /// Some metres away.
  case near = 2
  /// Farther away.
  case far = 3
}
