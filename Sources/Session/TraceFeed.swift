internal import Tracking
package import Traces

/// The fixes of one trace, one after the other.
///
/// A class, as a reader cannot be copied and a session holds an array of feeds.
package final class TraceFeed {
  /// The trace's path, `-` for standard input.
  package let path: String
  /// Name of the first track that has one.
  package private(set) var trackName: String?
  /// Whether the trace itself says which device each fix is of.
  package private(set) var namesDevices = false
  /// Columns of a table that are not read.
  package private(set) var unreadColumns: [String] = []
  /// What the trace holds beside the fixes of tracks.
  package private(set) var others = Others()

  /// Numbers of things that are not replayed.
  package struct Others: Sendable, Hashable {
    package var tracks = 0
    package var segments = 0
    package var routePoints = 0
    package var waypoints = 0
    package var records = 0
    package var repeatedReports = 0
    package var otherReceivers = 0
  }

  private var reader: TraceReader
  private var batch = TraceBatch()
  private var nextPoint = 0
  private var nextMark = 0
  private var isAtEnd = false
  private var issues: [TraceIssue] = []
  /// Faults found so far.
  package private(set) var issueCount = 0
  /// So many faults of a trace are told one by one; more are only counted, as a trace may be wrong
  /// in every line.
  package static let toldIssues = 100

  /// Opens a trace and recognises its format.
  package init(path: String) throws(TraceError) {
    self.path = path
    reader = try TraceReader(path: path)
  }

  /// Opens several, so that a wrong name is told before anything is played.
  package static func open(_ paths: [String]) throws(TraceError) -> [TraceFeed] {
    try paths.map { (path) throws(TraceError) in try TraceFeed(path: path) }
  }

  /// Names of the devices that the trace has named so far.
  package var devices: [String] { batch.devices }

  /// Bytes read of the file and its size, both as they lie on disk; the size is nil for a pipe.
  package var progress: (read: Int, total: Int?) { reader.progress }

  /// The next fix, which stays the next one until ``take()``; nil at the end.
  package func peek() throws(TraceError) -> TracePoint? {
    while true {
      passMarks()
      if nextPoint < batch.points.count { return batch.points[nextPoint] }
      guard !isAtEnd else { return nil }
      (nextPoint, nextMark) = (0, 0)
      isAtEnd = try !reader.read(into: &batch)
    }
  }

  /// Whether the next fix must be read first, from something that may make one wait: a pipe.
  package var mayWait: Bool {
    nextPoint >= batch.points.count && !isAtEnd && progress.total == nil
  }

  /// Goes on behind the fix that ``peek()`` gave.
  package func take() {
    nextPoint += 1
  }

  /// What was found wrong with the trace up to the next fix; each is given once, the first
  /// ``toldIssues`` of them.
  package func takeIssues() -> [TraceIssue] {
    guard !issues.isEmpty else { return [] }
    defer { issues = [] }
    return issues
  }

  /// That there were more faults than are told one by one, in words; nil when there were not.
  package var untoldIssues: String? {
    let untold = issueCount - Self.toldIssues
    return untold > 0 ? "\(path): \(untold) more problems like these" : nil
  }

  /// Takes note of the marks before the next point.
  private func passMarks() {
    while nextMark < batch.marks.count, batch.marks[nextMark].before <= nextPoint {
      note(batch.marks[nextMark].mark)
      nextMark += 1
    }
    if !batch.devices.isEmpty { namesDevices = true }
  }

  private func note(_ mark: TraceMark) {
    switch mark {
    case .unreadColumns(let names): unreadColumns = names
    case .issue(let issue):
      issueCount += 1
      if issueCount <= Self.toldIssues { issues.append(issue) }
    default:
      if case .track(let name?) = mark, trackName == nil, !name.isEmpty { trackName = name }
      others.count(mark)
    }
  }
}

extension TraceFeed.Others {
  mutating func count(_ mark: TraceMark) {
    switch mark {
    case .track: tracks += 1
    case .segment: segments += 1
    case .routePoint: routePoints += 1
    case .waypoint: waypoints += 1
    case .otherRecord: records += 1
    case .repeatedReport: repeatedReports += 1
    case .otherReceiver: otherReceivers += 1
    case .route, .unreadColumns, .issue: break
    }
  }

  static func += (sum: inout Self, other: Self) {
    sum.tracks += other.tracks
    sum.segments += other.segments
    sum.routePoints += other.routePoints
    sum.waypoints += other.waypoints
    sum.records += other.records
    sum.repeatedReports += other.repeatedReports
    sum.otherReceivers += other.otherReceivers
  }
}
