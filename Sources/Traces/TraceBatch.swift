package import Geodesy
package import Tracking

/// One position that a trace holds.
package struct TracePoint: Sendable, Hashable {
  /// The fix as the trace gives it, unjudged.
  package var fix: Fix
  /// Line of the trace on which it starts, from 1.
  package var line: Int
  /// Which device it is of, as an index into ``TraceBatch/devices``; nil when the trace names none.
  package var device: Int32?

  package init(fix: Fix, line: Int, device: Int32? = nil) {
    self.fix = fix
    self.line = line
    self.device = device
  }
}

/// Something in a trace that is not a track's fix.
package enum TraceMark: Sendable, Hashable {
  /// A track begins.
  case track(name: String?)
  /// A segment begins: the fixes before it and after it are not joined.
  case segment
  /// A planned route begins.
  case route(name: String?)
  /// A point of the route: where somebody means to go, not where the device was.
  case routePoint(Coordinate)
  /// A named place.
  case waypoint(Coordinate, name: String?)
  /// A record of another kind, which is passed over (an event in a log of events).
  case otherRecord
  /// A report of an instant whose fix was given already, which is passed over.
  case repeatedReport
  /// A report of a receiver that is not followed, which is passed over.
  case otherReceiver
  /// Columns of a table that nobody reads, by their names.
  case unreadColumns([String])
  /// Something is wrong with the trace here.
  case issue(TraceIssue)
}

/// What a decoder has read: points in the order of the trace, and between them the marks.
///
/// A batch is filled, used and emptied again and again; its storage is kept.
package struct TraceBatch: Sendable {
  package var points: [TracePoint] = []
  /// Marks in order; `before` is how many of `points` come before it.
  package var marks: [(before: Int, mark: TraceMark)] = []
  /// Names of devices seen so far; it only grows, so an index stays good in later batches.
  package var devices: [String] = []

  package init() {}

  /// Adds a mark at the present end.
  package mutating func mark(_ mark: TraceMark) {
    marks.append((before: points.count, mark: mark))
  }

  /// Forgets the points and marks, not the devices.
  package mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
  }
}
