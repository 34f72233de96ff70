internal import Formats
package import Settings
internal import Tracking

/// A file of tests for one config.
package struct FenceTestFile: Sendable {
  package var path: String
  package var tests: [FenceTest]
  /// The path of the config.
  package var config: String
  /// The config, with the places of its fences.
  package var configuration: Configuration
  var rules: Rules
  /// What the config says of tables.
  var tables: ReadingOptions
  /// The content of the file.
  var bytes: [UInt8]

  /// The paths of all recorded tracks, sorted.
  package var tracks: [String] {
    let paths = tests.flatMap { test -> [String] in
      switch test.source {
      case .tracks(let paths): paths
      case .path: []
      }
    }
    return Set(paths).sorted()
  }
}
