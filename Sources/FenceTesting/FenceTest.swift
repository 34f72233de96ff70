internal import EventLog
package import Settings
internal import Tracking

/// A fence test: a track, and what must and must not happen on it.
package struct FenceTest: Sendable {
  /// Where the fixes come from.
  enum Source: Sendable {
    /// Paths of recorded tracks.
    case tracks([String])
    /// Fixes that are computed.
    case path(DescribedPath)
  }

  package var name: String
  package var place: ConfigurationPlace
  var source: Source
  /// The device of fixes that name none; nil for that of the config.
  var device: String?
  /// In the order of the log.
  var expectations: [Expectation] = []
  /// The kinds of which no other event may be reported.
  var only: Set<LogEntry.Kind> = []
  var prohibitions: [Prohibition] = []
  var sides: [ExpectedSides] = []

  /// The seeds of a number of runs: one, when other seeds give the same fixes.
  func seeds(_ count: Int) -> [UInt64] {
    guard case .path(let path) = source else { return [0] }
    return (0..<(path.noise == .none ? 1 : count)).map { path.seed &+ UInt64($0) }
  }
}
