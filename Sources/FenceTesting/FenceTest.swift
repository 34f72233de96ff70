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

  /// Whether other seeds give other fixes.
  var isRandom: Bool {
    if case .path(let path) = source { path.noise != .none } else { false }
  }
}

/// A file of tests for one config.
package struct FenceTestFile: Sendable {
  package var path: String
  package var tests: [FenceTest]
  /// The fences of the config, with their places in it.
  var entries: [Configuration.FenceEntry]
  var rules: Rules
  /// The device name of the config; nil when it has none.
  var device: String?
  /// The content of the file.
  var bytes: [UInt8]
}

/// An event that must not be reported.
struct Prohibition: Sendable {
  var place: ConfigurationPlace
  var pattern: EventPattern
  /// When; nil for the whole track.
  var between: ClosedRange<Timestamp>?

  func matches(_ entry: LogEntry) -> Bool {
    guard pattern.matches(entry) else { return false }
    guard let between else { return true }
    return entry.time.map(between.contains) ?? false
  }
}

/// The sides of fences on which a device must be at a time.
struct ExpectedSides: Sendable {
  var place: ConfigurationPlace
  var time: Timestamp
  var inside: [String]
  var outside: [String]
  /// Nil for the only device of the track.
  var device: String?
}
