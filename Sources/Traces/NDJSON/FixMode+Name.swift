import Tracking

extension Fix.Mode {
  /// Its name in the event log.
  var logName: StaticString {
    switch self {
    case .unknown: "unknown"
    case .none: "none"
    case .twoD: "2d"
    case .threeD: "3d"
    case .differential: "dgps"
    case .precise: "pps"
    }
  }
}
