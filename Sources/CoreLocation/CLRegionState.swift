/// The position of the device relative to a region.
public enum CLRegionState: Int, Sendable {
  /// Not determined yet.
  case unknown = 0
  /// Inside.
  case inside = 1
  /// Outside.
  case outside = 2
}
