package import Tracking

/// What a source of fixes says, in order.
package enum SourceSignal: Sendable, Hashable {
  /// A live source begins, at this instant by its own clock: the system's, as long as there was no
  /// fix.
  case began(at: Timestamp)
  case fix(Fix, Report.Origin)
  /// It is this late, and no fix came; a deadline that was asked for.
  case time(Timestamp)
  /// Live only: so late it is by the clock, as somebody has just asked for something.
  case clock(Timestamp)
  case status(SourceStatus)
  /// Something is wrong with what comes, in one line.
  case warning(String)
}
