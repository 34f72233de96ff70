/// Where the device is with respect to a region.
public enum CLRegionState: Int, Sendable {
  /// Not known yet.
  case unknown = 0
  /// Inside.
  case inside = 1
  /// Outside.
  case outside = 2
}
