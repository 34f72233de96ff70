package import Settings

/// A statement of a test that is not true.
package struct FenceTestFailure: Sendable, Hashable {
  /// The place of the statement.
  package var place: ConfigurationPlace
  /// What was expected, and what came instead.
  package var message: String
  /// Why it came, or did not: three lines at most.
  package var explanation: [String] = []
  /// What would make it true; empty when no other value would.
  var edits: [ConfigurationEdit] = []
}
