internal import Geodesy
package import Tracking

/// One fix on its way to the clients.
package struct ServedFix: Sendable, Hashable {
  package var fix: Fix
  /// Its device, as an index into those of the server.
  package var device: Int

  package init(fix: Fix, device: Int) {
    self.fix = fix
    self.device = device
  }
}

extension Fix {
  /// Whether it says where the device was.
  var hasPosition: Bool { mode != .none && coordinate.isValid }

  /// What gpsd calls mode: 1 no fix, 2 two-dimensional, 3 three-dimensional.
  ///
  /// A source that does not say is taken at its word: with an altitude it is 3, without 2.
  var solution: Int64 {
    guard hasPosition else { return 1 }
    return switch mode {
    case .twoD: 2
    case .threeD: 3
    case .none, .unknown, .differential, .precise: altitude == nil ? 2 : 3
    }
  }
}
