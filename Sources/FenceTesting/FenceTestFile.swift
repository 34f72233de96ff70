internal import Formats
internal import Settings
internal import Tracking

/// A file of tests for one config.
package struct FenceTestFile: Sendable {
  package var path: String
  package var tests: [FenceTest]
  /// The path of the config.
  var config: String
  /// The fences of the config, with their places in it.
  var entries: [Configuration.FenceEntry]
  var rules: Rules
  /// The device name of the config; nil when it has none.
  var device: String?
  /// What the config says of tables.
  var tables: ReadingOptions
  /// The content of the file.
  var bytes: [UInt8]
}
