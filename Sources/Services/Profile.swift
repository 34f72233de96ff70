package import Tracking

/// By whose rules a program is told of places.
package struct Profile: Sendable, Hashable {
  /// Most regions that can be monitored, and most conditions of all monitors; nil for no limit.
  package var regionLimit: Int?
  /// Largest radius of a region, metres.
  package var longestRadius: Double
  /// How it is decided on which side of an edge the device is.
  package var decision: Decision
  /// What a significant change is.
  package var significantChanges = SignificantChangeRules()
  /// Whether significant changes go by the plain rule of distance and time from fix to fix, as
  /// Apple documents it, and not by the engine's evidence.
  package var hasPlainSignificantChanges: Bool
  /// Whether a request for "always" is answered provisionally, and asked again with the first event
  /// in the background.
  package var asksAlwaysTwice: Bool
  /// Most requests to a geocoder in a minute; nil for no limit.
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
