/// The state of a source of fixes.
package enum SourceStatus: Sendable, Hashable {
  /// It delivers fixes.
  case reporting
  /// gpsd is unavailable, for the reason given; reported once an outage.
  case unavailable(String)
  /// A trace is over.
  case ended
}
