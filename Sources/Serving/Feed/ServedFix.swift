internal import Geodesy
package import Traces
package import Tracking

/// A fix for the clients, with its device.
package struct ServedFix: Sendable, Hashable {
  package var fix: Fix
  /// The index of its device among those of the server.
  package var device: Int
  /// How the receiver found the position.
  package var solution: SolutionKind

  package init(fix: Fix, device: Int, solution: SolutionKind = .plain) {
    self.fix = fix
    self.device = device
    self.solution = solution
  }
}

extension SolutionKind {
  /// The kind, or what the mode of the fix says where the source says no more.
  func joined(with mode: Fix.Mode) -> SolutionKind {
    guard self == .plain else { return self }
    return switch mode {
    case .differential: .differential
    case .precise: .precise
    case .none, .unknown, .twoD, .threeD: .plain
    }
  }
}

extension Fix {
  /// Whether it has a valid position.
  var hasPosition: Bool { mode != .none && coordinate.isValid }

  /// gpsd's mode: 1 no fix, 2 two-dimensional, 3 three-dimensional.
  ///
  /// If the source gives no mode, a fix with an altitude is 3, one without 2.
  var solution: Int64 {
    guard hasPosition else { return 1 }
    return switch mode {
    case .twoD: 2
    case .threeD: 3
    case .none, .unknown, .differential, .precise: altitude == nil ? 2 : 3
    }
  }
}
