package import Tracking

/// What a config file says, checked.
package struct Configuration: Sendable, Hashable {
  /// How crossings of a fence's edge are judged.
  package enum Decision: String, Sendable, Hashable, CaseIterable {
    case eager, balanced, strict, apple, naive
  }

  /// When a stay is a visit.
  package enum Visits: Sendable, Hashable {
    case off
    /// Seconds and metres, both above 0.
    case on(minimumStay: Double, radius: Double)
  }

  /// When a change of place is significant.
  package enum SignificantChanges: Sendable, Hashable {
    case off
    /// Metres and seconds, both above 0.
    case on(distance: Double, interval: Double)
  }

  /// What names a place.
  package enum Geocoder: String, Sendable, Hashable, CaseIterable {
    case none, stub, gazetteer, nominatim
  }

  /// A fence and what the config says about it beyond what the engine needs.
  package struct FenceEntry: Sendable, Hashable {
    package var fence: Fence
    /// Where its id stands, or the fence in the file that was included.
    package var place: ConfigurationPlace
    /// The decision that was written, nil when none was.
    package var decision: Decision?
    /// Whether an edge spans more than 180 degrees of longitude as it was written.
    package var spansWideEdge: Bool
  }

  /// Name used in events, nil when the input's own name is to be used.
  package var device: String?
  /// `gpsd://HOST[:PORT][/DEVICE]`, nil when none is written.
  package var source: String?
  /// The fences in the order of the file, each included file in its place.
  package var entries: [FenceEntry] = []
  package var visits: Visits = .off
  package var significantChanges: SignificantChanges = .off
  package var geocoder: Geocoder = .none
  /// What is written but not acted on by this version.
  var inactive: [ConfigurationFinding] = []

  /// What a program does without a config.
  package init() {}

  /// The fences in the order of the file.
  package var fences: [Fence] { entries.map(\.fence) }

  /// One sentence with its place for each setting that is written but that this version does not
  /// act on; `replay` and `watch` print them as warnings.
  package var notices: [String] { inactive.map { "\($0.place): \($0.sentence)" } }
}
