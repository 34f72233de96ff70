package import Traces
package import Tracking

/// Everything that can reach the engine: nothing else can change an event.
///
/// Live and replay differ only in the source of inputs; the same inputs give the same log.
package enum Input: Sendable {
  /// A device reported a position, in a line of a source.
  case fix(Fix, device: Int, source: Int, line: Int)
  /// The time of a device that may have fallen silent.
  case time(Timestamp, device: Int)
  /// A source could not be read somewhere; `device` is the track's device, as far as known there,
  /// and `time` how far the track had been played.
  case issue(TraceIssue, device: String, time: Timestamp?, source: Int)
  /// The source of a device was lost, or is back.
  case status(SourceChange, device: String)
  /// An anchor was set, moved or taken up.
  case anchor(AnchorChange, device: Int)
}
