package import Tracking
package import Traces

/// Everything that can reach the engine: what is not an input cannot change an event.
///
/// Live and replay differ only in where inputs come from; the same inputs give the same log.
package enum Input: Sendable {
  /// A device reported a position, in a line of a source.
  case fix(Fix, device: Int, source: Int, line: Int)
  /// It is this late for a device that may have fallen silent.
  case time(Timestamp, device: Int)
  /// A source could not be read at a place; `device` is whose track it is, as far as known there,
  /// and `time` how far it had been played.
  case issue(TraceIssue, device: String, time: Timestamp?, source: Int)
}
