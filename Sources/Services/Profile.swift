package import Tracking

/// The rules for a program's locations and events: Apple's or the engine's.
package struct Profile: Sendable, Hashable {
  /// The most monitored regions, and the most conditions of all monitors; nil for no limit.
  package var regionLimit: Int?
  /// The largest radius of a region, metres.
  package var longestRadius: Double
  /// The policy that decides on which side of an edge the device is.
  package var decision: Decision
  /// What a significant change is.
  package var significantChanges = SignificantChangeRules()
  /// Whether significant changes follow the plain rule of distance and time from fix to fix, as Apple
  /// documents it, and not the engine's evidence.
  package var hasPlainSignificantChanges: Bool
  /// Whether a request for "always" is granted provisionally, with a second prompt at the first event in
  /// the background.
  package var asksAlwaysTwice: Bool
  /// The most requests to a geocoder in a minute; nil for no limit.
  package var geocodingLimit: Int?

  /// As Apple documents Core Location.
  package static let apple = Profile(
    regionLimit: 20, longestRadius: 200_000, decision: .apple, hasPlainSignificantChanges: true,
    asksAlwaysTwice: true, geocodingLimit: 50)
  /// The engine's own decisions, without limits.
  package static let precise = Profile(
    regionLimit: nil, longestRadius: 5_000_000, decision: .balanced,
    hasPlainSignificantChanges: false, asksAlwaysTwice: false, geocodingLimit: nil)
}
