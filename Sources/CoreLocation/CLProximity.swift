/// The distance of a beacon in words.
public enum CLProximity: Int, Sendable {
  /// Unknown.
  case unknown = 0
  /// At the device.
  case immediate = 1
  /// Some metres away.
  case near = 2
  /// Farther away.
  case far = 3
}
