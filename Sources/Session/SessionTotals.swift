package import EventLog
package import Tracking

/// The numbers of a session's summary.
package struct SessionTotals: Sendable, Hashable {
  /// Where a fix came from.
  package struct Origin: Sendable, Hashable, CustomStringConvertible {
    package var path: String
    /// The line, or the byte of a binary trace.
    package var line: Int
    package var isBinary = false

    package init(path: String, line: Int, isBinary: Bool = false) {
      (self.path, self.line, self.isBinary) = (path, line, isBinary)
    }

    package var description: String { isBinary ? "\(path): byte \(line)" : "\(path):\(line)" }
  }

  /// What became of the fixes, all devices together.
  package var gate = GateCounts()
  /// The origin of the first fix with each defect.
  package var firstDefects: [Defect: Origin] = [:]
  /// Fixes that were dropped as they are earlier than others, by the number of the source.
  package var late: [Int: Int] = [:]
  /// Fixes left out by `--from` and `--until`.
  package var outsideSpan = 0
  /// Fixes that another trace had as well.
  package var duplicates = 0
  /// Errors in the traces themselves.
  package var issues = 0
  /// Lines of events by kind, whether or not they were printed.
  package var events: [LogEntry.Kind: Int] = [:]
  /// Lines of visits that another line replaced, and those that took a visit back.
  package var replacedVisits = 0
  /// First and last time of a fix that was used.
  package var span: ClosedRange<Timestamp>?
  package var files = 0
  package var devices = 0
  /// What the readers noticed about whole traces; a line begins with the path.
  package var notes: [String] = []
  /// Contents of the traces other than fixes.
  package var others = TraceFeed.Others()

  package init() {}

  /// Adds the totals of some of the devices.
  package mutating func add(_ part: SessionTotals) {
    gate += part.gate
    late.merge(part.late, uniquingKeysWith: +)
    issues += part.issues
    devices += part.devices
    events.merge(part.events, uniquingKeysWith: +)
    replacedVisits += part.replacedVisits
    if let span = part.span {
      extend(to: span.lowerBound)
      extend(to: span.upperBound)
    }
  }

  /// Counts the line of an event.
  mutating func count(_ event: Event, _ kind: LogEntry.Kind) {
    events[kind, default: 0] += 1
    guard case .visit(let visit) = event.statement else { return }
    if visit.revision > 0 { replacedVisits += 1 }
    if visit.isRetracted { replacedVisits += 1 }
  }

  mutating func extend(to time: Timestamp) {
    guard let span else {
      span = time...time
      return
    }
    if time > span.upperBound {
      self.span = span.lowerBound...time
    } else if time < span.lowerBound {
      self.span = time...span.upperBound
    }
  }
}
