package import GPSD
package import Tracking

/// What a config file says, checked.
package struct Configuration: Sendable, Hashable {
  /// A fence and what the config says about it beyond what the engine needs.
  package struct FenceEntry: Sendable, Hashable {
    package var fence: Fence
    /// Where its id stands, or the fence in the file that was included.
    package var place: ConfigurationPlace
    /// Whether an edge spans more than 180 degrees of longitude as it was written.
    package var spansWideEdge: Bool
  }

  /// Name used in events, nil when the input's own name is to be used.
  package var device: String?
  /// Where gpsd is, nil when it is not written.
  package var source: GPSDAddress?
  /// The fences in the order of the file, each included file in its place.
  package var entries: [FenceEntry] = []
  /// Compiled fences that the config includes.
  package var compiled: [FenceSet] = []
  /// What counts as a visit, nil when none shall be told.
  package var visits: VisitRules? = VisitRules()
  /// What counts as a significant change, nil when none shall be told.
  package var significantChanges: SignificantChangeRules? = SignificantChangeRules()
  /// The settings of the sections, by key.
  var sections: [String: ConfigurationSectionValue] = [:]
  /// Where the settings that are not of fences stand, by the way to their key.
  var places: [String: ConfigurationPlace] = [:]

  /// What a program does without a config.
  package init() {}

  /// The fences in the order of the file.
  package var fences: [Fence] { entries.map(\.fence) }

  /// What the engine shall watch: `more` fences beside those of the config.
  package func rules(adding more: [Fence] = []) throws(FenceSetError) -> Rules {
    var rules = Rules(fences: try set(adding: more))
    rules.visits = visits
    rules.significantChanges = significantChanges
    return rules
  }

  /// All fences: those of the config, compiled ones and others; compiled ones alone are used where
  /// they lie.
  private func set(adding more: [Fence]) throws(FenceSetError) -> FenceSet {
    if entries.isEmpty, more.isEmpty, compiled.count == 1 { return compiled[0] }
    var builder = FenceSet.Builder()
    for entry in entries { try builder.append(entry.fence) }
    for set in compiled {
      for fence in set { try builder.append(fence) }
    }
    for fence in more { try builder.append(fence) }
    return try builder.build()
  }
}
