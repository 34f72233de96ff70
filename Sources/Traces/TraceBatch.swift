package import Geodesy
public import Estimation

/// One position of a trace.
public struct TracePoint: Sendable, Hashable {
  /// The fix as in the trace, not validated.
  public var fix: Fix
  /// Line of the trace on which it starts, from 1; in a binary trace its first byte, from 0.
  public var line: Int
  /// The device as an index into ``TraceBatch/devices``; nil when the trace names none.
  public var device: Int32?
  /// How the receiver found the position; a plain solution where the source does not say it.
  @usableFromInline package var solution = SolutionKind.plain

  /// A point on a line of a trace.
  @inlinable
  public init(fix: Fix, line: Int, device: Int32? = nil) {
    self.fix = fix
    self.line = line
    self.device = device
  }
}

/// An item of a trace other than a track's fix.
package enum TraceMark: Sendable, Hashable {
  /// A track begins.
  case track(name: String?)
  /// A segment begins: the fixes before it and after it are not joined.
  case segment
  /// A planned route begins.
  case route(name: String?)
  /// A point of the route: a planned position, not one of the device.
  case routePoint(Coordinate)
  /// A named place.
  case waypoint(Coordinate, name: String?)
  /// A stay that the trace reports.
  case reportedVisit(ReportedVisit)
  /// A heading of a compass, which the engine does not use.
  case heading(Heading)
  /// A record of another kind, which is skipped (an event in an event log).
  case otherRecord
  /// The state of a device, which only `pipe` reads.
  case deviceState(DeviceStateRecord)
  /// A repeated report of an instant, which is skipped.
  case repeatedReport
  /// A report of a receiver that is not followed, which is skipped.
  case otherReceiver
  /// A simulated position, which is refused; the time is its own.
  case simulatedFix(Timestamp?)
  /// A live source was lost, or is back.
  case status(SourceChange)
  /// An anchor was set, moved or taken up.
  case anchor(AnchorChange)
  /// What follows is of this device, in a recording that several devices share: an index into
  /// ``TraceBatch/devices``; nil for the one that has no name there.
  case source(device: Int32?)
  /// The device of that recording has been silent until a deadline of its engine.
  case deadline(Timestamp)
  /// The device of that recording, or of one with a single device, was forgotten: its next fix is as its
  /// first.
  case forgotten
  /// What the user should know of the whole trace, such as columns that are not read; once.
  case note(String)
  /// A problem in the trace at this point.
  case issue(TraceIssue)
}

/// A line with the state of a device, as `pipe` writes it.
package struct DeviceStateRecord: Sendable, Hashable {
  package var line: Int
  /// The device as an index into ``TraceBatch/devices``; nil when the line names none.
  package var device: Int32?
  /// The state in base64.
  package var state: String

  package init(line: Int, device: Int32?, state: String) {
    (self.line, self.device, self.state) = (line, device, state)
  }
}

/// The output of a decoder: points in the order of the trace, and the marks between them.
///
/// A batch is filled, used and emptied again and again; its storage is reused.
package struct TraceBatch: Sendable {
  package var points: [TracePoint] = []
  /// Marks in order; `before` is the number of `points` that precede it.
  package var marks: [(before: Int, mark: TraceMark)] = []
  /// Names of devices seen so far; it only grows, so an index stays valid in later batches.
  package var devices: [String] = []

  package init() {}

  /// Appends a mark.
  package mutating func mark(_ mark: TraceMark) {
    marks.append((before: points.count, mark: mark))
  }

  /// Removes the points and marks, but not the devices.
  package mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
  }
}
