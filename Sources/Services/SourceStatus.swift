/// How it is with where fixes come from.
package enum SourceStatus: Sendable, Hashable {
  /// Fixes come.
  case reporting
  /// gpsd cannot be reached or was lost, for the reason given; told once an outage.
  case unavailable(String)
  /// A trace is over.
  case ended
}
