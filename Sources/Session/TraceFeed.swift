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

    package init() {}
  }

  private var reader: TraceReader
  private let isPipe: Bool
  /// How many bytes are read at a time when the file is closed in between; nil when it stays open.
  private let restingStep: Int?
  private var batch = TraceBatch()
  private var nextPoint = 0
  private var nextMark = 0
  /// What was read behind ``batch``, in order, with how many devices had been named by then.
  private var ahead: [(batch: TraceBatch, devices: Int)] = []
  private var pointsAhead = 0
  /// Batches that were used up, whose storage is good for others.
  private var spare: [TraceBatch] = []
  private var isAtEnd = false
  /// Why nothing can be read behind what is ahead.
  private var failure: TraceError?
  private var issues: [TraceIssue] = []
  /// Faults found so far.
  package private(set) var issueCount = 0
  /// So many faults of a trace are told one by one; more are only counted, as a trace may be wrong
  /// in every line.
  package static let reportedIssues = 100
  /// So many points are read ahead, more or less.
  private static let enoughAhead = 1_024

  /// Opens a trace and recognises its format.
  package convenience init(path: String) throws(TraceError) {
    try self.init(path: path, restingStep: nil)
  }

  init(path: String, restingStep: Int?) throws(TraceError) {
    self.path = path
    self.restingStep = restingStep
    reader = try TraceReader(path: path)
    isPipe = reader.progress.total == nil
    if let restingStep { reader.rest(step: restingStep) }
  }

  /// Names of the devices that the trace has named so far.
  package private(set) var devices: [String] = []

  /// Bytes read of the file and its size, both as they lie on disk; the size is nil for a pipe.
  package var progress: (read: Int, total: Int?) { reader.progress }

  /// The next fix, which stays the next one until ``take()``; nil at the end.
  package func peek() throws(TraceError) -> TracePoint? {
    while true {
      passMarks()
      if nextPoint < batch.points.count { return batch.points[nextPoint] }
      guard try turnOver() else { return nil }
    }
  }

  /// Whether the next fix must be read first, from something that may make one wait: a pipe.
  package var mayWait: Bool { isPipe && isDry }

  /// Whether the next fix must be read first.
  var isDry: Bool { isUsedUp && ahead.isEmpty && !isAtEnd && failure == nil }

  private var isUsedUp: Bool { nextPoint >= batch.points.count }

  /// Goes on behind the fix that ``peek()`` gave.
  package func take() {
    nextPoint += 1
  }

  /// Gives the fixes up to the next mark, or to the end of what was read at a time, and goes on
  /// behind them; false at the end of the trace.
  ///
  /// - Parameter run: Is replaced; it shares its storage with the feed until it is.
  func take(_ run: inout TraceSlice) throws(TraceError) -> Bool {
    run = TraceSlice()
    guard try peek() != nil else { return false }
    let end = nextMark < batch.marks.count ? batch.marks[nextMark].before : batch.points.count
    run = TraceSlice(points: batch.points, range: nextPoint..<end)
    nextPoint = end
    return true
  }

  /// What was found wrong with the trace up to the next fix; each is given once, the first
  /// ``reportedIssues`` of them.
  package func takeIssues() -> [TraceIssue] {
    guard !issues.isEmpty else { return [] }
    defer { issues = [] }
    return issues
  }

  /// That there were more faults than are told one by one, in words; nil when there were not.
  package var unreportedIssues: String? {
    let untold = issueCount - Self.reportedIssues
    return untold > 0 ? "\(path): \(untold) more problems like these" : nil
  }

  /// Takes note of the marks before the next point.
  private func passMarks() {
    while nextMark < batch.marks.count, batch.marks[nextMark].before <= nextPoint {
      note(batch.marks[nextMark].mark)
      nextMark += 1
    }
  }

  // MARK: Reading

  /// Whether it is worth reading ahead: not what may make one wait.
  package var wantsReading: Bool {
    !isPipe && !isAtEnd && failure == nil
      && (restingStep == nil ? pointsAhead < Self.enoughAhead / 2 : ahead.isEmpty)
  }

  /// Reads what comes next, in another thread perhaps, while nobody uses the feed.
  package func readAhead() {
    readBatch()
    if let restingStep { return reader.rest(step: restingStep) }
    while !isAtEnd, failure == nil, pointsAhead < Self.enoughAhead { readBatch() }
  }

  /// Makes the next batch the present one; false at the end of the trace.
  private func turnOver() throws(TraceError) -> Bool {
    if ahead.isEmpty, !isAtEnd, failure == nil {
      readBatch()
      if let restingStep { reader.rest(step: restingStep) }
    }
    guard !ahead.isEmpty else {
      if let failure { throw failure }
      return false
    }
    let next = ahead.removeFirst()
    if restingStep == nil { spare.append(batch) }
    (batch, nextPoint, nextMark) = (next.batch, 0, 0)
    pointsAhead -= batch.points.count
    if next.devices > 0 { namesDevices = true }
    return true
  }

  private func readBatch() {
    var next = spare.popLast() ?? TraceBatch()
    // A reader goes on with the names that it gave.
    swap(&next.devices, &devices)
    do throws(TraceError) {
      isAtEnd = try !reader.read(into: &next)
    } catch {
      failure = error
    }
    swap(&next.devices, &devices)
    pointsAhead += next.points.count
    if !isAtEnd, failure == nil { ahead.append((next, devices.count)) }
  }

  private func note(_ mark: TraceMark) {
    switch mark {
    case .unreadColumns(let names): unreadColumns = names
    case .issue(let issue):
      issueCount += 1
      if issueCount <= Self.reportedIssues { issues.append(issue) }
    default:
      if case .track(let name?) = mark, trackName == nil, !name.isEmpty { trackName = name }
      others.count(mark)
    }
  }
}

/// Fixes of a trace that follow one another with nothing between them.
struct TraceSlice {
  var points: [TracePoint] = []
  /// Those that are left.
  var range = 0..<0
}

extension TraceFeed.Others {
  package mutating func count(_ mark: TraceMark) {
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

  package static func += (sum: inout Self, other: Self) {
    sum.tracks += other.tracks
    sum.segments += other.segments
    sum.routePoints += other.routePoints
    sum.waypoints += other.waypoints
    sum.records += other.records
    sum.repeatedReports += other.repeatedReports
    sum.otherReceivers += other.otherReceivers
  }
}
