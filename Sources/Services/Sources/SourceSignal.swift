package import Traces
package import Tracking

/// A signal from a source of fixes; signals come in order.
package enum SourceSignal: Sendable, Hashable {
  /// A live source starts, at this time of its own clock, which is the system's before the first fix.
  case began(at: Timestamp)
  case fix(Fix, Location.Origin)
  /// A heading of a compass.
  case heading(Heading)
  /// The time of a requested deadline, without a fix.
  case time(Timestamp)
  /// Live only: the time of the clock, because a client has just made a request.
  case clock(Timestamp)
  case status(SourceStatus)
  /// An error in the input, in one line.
  case warning(String)
}
