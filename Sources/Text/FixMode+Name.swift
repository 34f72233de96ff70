package import Estimation

extension Fix.Mode {
  /// The name in the event log.
  package var logName: StaticString {
    switch self {
    case .unknown: "unknown"
    case .none: "none"
    case .twoD: "2d"
    case .threeD: "3d"
    case .differential: "dgps"
    case .precise: "pps"
    }
  }

  /// The mode with a name in the event log; nil when there is no such mode.
  package static func named(_ name: borrowing Span<UInt8>) -> Self? {
    for mode in allCases where name.equals(mode.logName) { return mode }
    return nil
  }
}
