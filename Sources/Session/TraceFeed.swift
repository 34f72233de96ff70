package import Formats
internal import Receivers
internal import Text
package import Traces
package import Tracking

/// The fixes of one trace in order.
///
/// A class, because a reader cannot be copied and sessions hold arrays of feeds.
package final class TraceFeed {
  /// The trace's path, `-` for standard input.
  package let path: String
  /// Name of the first track that has one.
  package private(set) var trackName: String?
  /// Name of the track of the next fix; nil when it has none.
  package private(set) var lastTrackName: String?
  /// Whether the trace itself names the device of each fix.
  package private(set) var namesDevices = false
  /// What the reader noticed about the whole trace, such as columns that are not read.
  package private(set) var notes: [String] = []
  /// The device that the path names, by a pattern of the user; nil when it names none.
  package internal(set) var pathDevice: String?
  /// The path of the folder or archive of whose recording the trace is a part; nil for a file that the
  /// user named.
  package internal(set) var collection: String?
  /// Whether it is a track; otherwise it reports what is wrong with a file.
  package let isTrack: Bool
  /// The format of the trace; nil when its fixes are in memory.
  package var format: TraceFormat? { reader?.format }
  /// Whether it is an XML document of another program.
  var isForeignDocument: Bool { reader?.isForeignDocument ?? false }
  /// The program or receiver that the trace names as its producer, known at its end.
  package var producer: String? { reader?.producer }
  /// Contents of the trace other than the fixes of tracks.
  package private(set) var others = Others()

  /// Which file of a recording it is; nil for other traces.
  var part: RecordingPart? { reader?.part }
  /// The feeds of the next files of the recording, which are read behind this one, in their order.
  var followers: [TraceFeed] = [] {
    didSet {
      reader?.isFollowed = !followers.isEmpty
      // Only once, not with every look at the progress: there may be thousands.
      if files.isEmpty { bytesBehind = followers.reduce(0) { $0 + ($1.progress.total ?? 0) } }
    }
  }
  /// Whether another feed reads it.
  var isFollower = false
  /// The files of a recording of several that were opened; empty for one.
  private(set) var files: [File] = []

  /// The fixes read so far.
  private(set) var fixCount = 0
  /// Whether fixes and tracks are in the order of time.
  private(set) var order = TrackOrder()

  /// The first stays that the trace reports, so far.
  package private(set) var reportedVisits: [ReportedVisit] = []

  /// Whether headings are kept for ``takeHeadings()``.
  package var keepsHeadings = false
  /// Headings before the next fix, and their devices as an index of ``devices``.
  private var headings: [(heading: Heading, device: Int32?)] = []
  /// Headings that were left out, because there were more than ``mostHeadings`` before a fix.
  package private(set) var droppedHeadings = 0
  /// The most headings kept before a fix: those of an hour and more at ten a second.
  package static let mostHeadings = 1 << 16

  /// The bytes of the files of a recording before the one that is read, and behind it.
  private var (bytesBefore, bytesBehind) = (0, 0)
  /// Nil when the fixes are in memory.
  private var reader: TraceReader?
  private let isPipe: Bool
  /// How many bytes are read at a time when the file is closed in between; nil when it stays open.
  private let restingStep: Int?
  private var batch = TraceBatch()
  private var nextPoint = 0
  private var nextMark = 0
  /// Batches read ahead of ``batch``, in order, with the number of devices named by then.
  private var ahead: [(batch: TraceBatch, devices: Int)] = []
  /// The points and marks of those batches.
  private var itemsAhead = 0
  /// Used batches, whose storage is reused.
  private var spare: [TraceBatch] = []
  private var isAtEnd = false
  private var hasPoints = false
  private var isTrackMissed = false
  /// Why nothing can be read after ``ahead``.
  private var failure: TraceError?
  private var notices: [Notice] = []
  /// Errors found so far.
  package private(set) var issueCount = 0
  /// Errors found so far beyond ``reportedIssues``, which are only counted.
  package private(set) var unreportedCount = 0
  /// Why the trace was not read to its end, beyond ``reportedIssues`` too; nil while it was.
  package private(set) var ending: TraceIssue?
  /// The most errors of a trace that are reported one by one; more are only counted, because every
  /// line may be wrong, except those that end the reading.
  package static let reportedIssues = 100
  /// The most reported stays that are kept: those of a decade are a tenth of them.
  package static let mostReportedVisits = 1 << 18

  /// Opens a trace and detects its format.
  package convenience init(
    path: String, options: ReadingOptions = ReadingOptions()
  ) throws(TraceError) {
    try self.init(path: path, options: options, restingStep: nil)
  }

  init(
    path: String, entry: ZipEntry? = nil, options: ReadingOptions = ReadingOptions(),
    restingStep: Int?
  ) throws(TraceError) {
    self.path = path
    self.restingStep = restingStep
    isTrack = true
    var reader = try TraceReader(
      path: path, entry: entry, options: options, step: restingStep ?? TraceReader.step)
    isPipe = reader.progress.total == nil
    if let restingStep { reader.rest(step: restingStep) }
    self.reader = consume reader
  }

  /// A trace in memory; the path names it.
  package init(path: String, fixes: [Fix]) {
    self.path = path
    (restingStep, isPipe, isAtEnd, isTrack) = (nil, false, true, true)
    batch.points = fixes.enumerated().map { TracePoint(fix: $1, line: $0 + 1) }
    fixCount = fixes.count
  }

  /// A feed without fixes for a file that cannot be read, so that everything else is.
  init(path: String, problem: String) {
    self.path = path
    (restingStep, isPipe, isAtEnd, isTrack) = (nil, false, true, false)
    note(.issue(TraceIssue(.malformed, line: 1, column: 1, problem, code: .damaged)))
  }

  /// The devices named in the trace so far.
  package private(set) var devices: [String] = []

  /// Where its segments begin; nil, as at first, when nobody wants to know.
  package var starts: SegmentStarts?

  /// Whether several devices share the recording, which has their lines in the order in which they came.
  package private(set) var isShared = false

  /// The device of what the trace reports, in such a recording; nil for the one without a name there.
  private var source: Int32?

  /// Whether the places of the trace are bytes, not lines.
  package var isBinary: Bool { reader?.format.isBinary ?? false }

  /// Bytes read of the file and its size, both as they lie on disk; the size is nil for a pipe.
  package var progress: (read: Int, total: Int?) {
    let (read, total) = reader?.progress ?? (0, 0)
    return (bytesBefore + read, total.map { bytesBefore + $0 + bytesBehind })
  }

  /// The next fix, which stays the next one until ``take()``; nil at the end.
  package func peek() throws(TraceError) -> TracePoint? {
    while true {
      passMarks()
      if nextPoint < batch.points.count {
        if order.isBeginning { order.begin(with: batch.points[nextPoint..<runEnd]) }
        return batch.points[nextPoint]
      }
      guard try turnOver() else {
        noteMissingTrack()
        return nil
      }
    }
  }

  /// The first time of the fixes that are read together with the first one; nil when none has one.
  package var firstTime: Timestamp? {
    // An error is thrown again when the fixes are wanted.
    guard (try? peek()) != nil else { return nil }
    return batch.points.lazy.compactMap(\.fix.time).first
  }

  /// Whether the next fix must first be read from a pipe, which may have to be waited for.
  package var mayWait: Bool { isPipe && isDry }

  /// Whether the next fix must be read first.
  var isDry: Bool { isUsedUp && ahead.isEmpty && !isAtEnd && failure == nil }

  private var isUsedUp: Bool { nextPoint >= batch.points.count }

  /// Moves past the fix that ``peek()`` gave.
  package func take() {
    nextPoint += 1
  }

  /// Gives the fixes up to the next mark or the end of the batch, and moves past them; false at the
  /// end of the trace.
  ///
  /// - Parameter run: Is replaced; it shares its storage with the feed until it is.
  package func take(_ run: inout TraceSlice) throws(TraceError) -> Bool {
    run = TraceSlice()
    guard try peek() != nil else { return false }
    let end = runEnd
    run = TraceSlice(points: batch.points, range: nextPoint..<end)
    starts?.note(batch.points[nextPoint..<end])
    nextPoint = end
    return true
  }

  /// Where the fixes up to the next mark end.
  private var runEnd: Int {
    nextMark < batch.marks.count ? batch.marks[nextMark].before : batch.points.count
  }

  /// What a trace has to report besides its fixes.
  package struct Notice: Sendable {
    package enum Content: Sendable {
      case issue(TraceIssue)
      case status(SourceChange)
      case deadline(Timestamp)
      case anchor(AnchorChange)
      /// The device starts over.
      case forgotten
    }

    package var content: Content
    /// The device as an index into ``TraceFeed/devices``; nil when the trace has one device.
    package var device: Int32?
    /// Whether several sources shared the recording there.
    package var isShared: Bool
  }

  /// The errors of the trace up to the next fix, each once: the first ``reportedIssues``, and those
  /// that end the reading.
  package func takeIssues() -> [TraceIssue] {
    takeNotices().compactMap { if case .issue(let issue) = $0.content { issue } else { nil } }
  }

  /// These errors, the changes of the source, and the deadlines that it passed in silence, in their order.
  package func takeNotices() -> [Notice] {
    guard !notices.isEmpty else { return [] }
    defer { notices = [] }
    return notices
  }

  /// The headings before the next fix, each once, with their devices as an index of ``devices``; nil for the
  /// one that has no name.
  package func takeHeadings() -> [(heading: Heading, device: Int32?)] {
    defer { headings = [] }
    return headings
  }

  private func keep(_ heading: Heading) {
    guard headings.count < Self.mostHeadings else { return droppedHeadings += 1 }
    headings.append((heading, source))
  }

  /// A message about the errors beyond ``reportedIssues``; nil when there are none.
  package var unreportedIssues: String? {
    unreportedCount > 0 ? "\(path): \(unreportedCount) more problems like these" : nil
  }

  /// Notes the marks before the next point.
  private func passMarks() {
    while nextMark < batch.marks.count, batch.marks[nextMark].before <= nextPoint {
      note(batch.marks[nextMark].mark)
      nextMark += 1
    }
  }

  // MARK: Reading

  /// Whether less than half of about so many points and marks are read ahead; never from a pipe, which may
  /// have to be waited for.
  package func wantsReading(_ enough: Int) -> Bool {
    !isPipe && !isAtEnd && failure == nil
      && (restingStep == nil ? itemsAhead < enough / 2 : ahead.isEmpty)
  }

  /// Reads about so many ahead, perhaps on another thread; nothing else may use the feed meanwhile.
  package func readAhead(_ enough: Int) {
    readBatch()
    if let restingStep {
      reader?.rest(step: restingStep)
      return
    }
    while !isAtEnd, failure == nil, itemsAhead < enough { readBatch() }
  }

  /// Moves to the next batch; false at the end of the trace.
  private func turnOver() throws(TraceError) -> Bool {
    if ahead.isEmpty, !isAtEnd, failure == nil {
      readBatch()
      if let restingStep { reader?.rest(step: restingStep) }
    }
    guard !ahead.isEmpty else {
      if let failure { throw failure }
      return false
    }
    let next = ahead.removeFirst()
    if restingStep == nil { spare.append(batch) }
    (batch, nextPoint, nextMark) = (next.batch, 0, 0)
    itemsAhead -= batch.points.count + batch.marks.count
    hasPoints = hasPoints || !batch.points.isEmpty
    fixCount += batch.points.count
    order.add(batch.points)
    if next.devices > 0 { namesDevices = true }
    return true
  }

  private func readBatch() {
    var next = spare.popLast() ?? TraceBatch()
    // A reader continues the list of names that it gave.
    swap(&next.devices, &devices)
    do throws(TraceError) {
      isAtEnd = try reader?.read(into: &next) != true
      while isAtEnd, proceed() { isAtEnd = try reader?.read(into: &next) != true }
    } catch {
      failure = error
    }
    swap(&next.devices, &devices)
    itemsAhead += next.points.count + next.marks.count
    if !isAtEnd, failure == nil { ahead.append((next, devices.count)) }
  }

  /// Goes on with the next file of the recording; false when there is none.
  private func proceed() -> Bool {
    guard let follower = followers.first, let next = follower.reader.take() else { return false }
    if files.isEmpty { files = [File(path: path, linesBefore: 0)] }
    bytesBefore += reader?.progress.total ?? 0
    bytesBehind -= next.progress.total ?? 0
    reader?.proceed(to: next)
    followers.removeFirst()
    files.append(File(path: follower.path, linesBefore: reader?.linesBefore ?? 0))
    return true
  }

  /// Reports a trace of planned positions alone, once.
  private func noteMissingTrack() {
    guard let missingTrack, !isPlan, !isTrackMissed else { return }
    isTrackMissed = true
    note(.issue(missingTrack))
  }

  /// Whether it may have no track: GPX is a format of planned routes as well, and beside the tracks of a
  /// folder there often is a file of waypoints.
  private var isPlan: Bool {
    reader?.format == .gpx && (others.routePoints > 0 || collection != nil)
  }

  /// That the trace has had planned positions alone so far; nil when it has fixes or no position.
  package var missingTrack: TraceIssue? {
    guard !hasPoints, others.waypoints + others.routePoints > 0 else { return nil }
    let message =
      "there is no track, only \(SessionTotals.count(others.waypoints, "waypoint")) and "
      + SessionTotals.count(others.routePoints, "route point")
    return isBinary
      ? TraceIssue(.record, byte: 0, message, code: .noTrack)
      : TraceIssue(.record, line: 1, column: 1, message, code: .noTrack)
  }

  private func add(_ notice: Notice.Content) {
    notices.append(Notice(content: notice, device: source, isShared: isShared))
  }

  private func note(_ mark: TraceMark) {
    switch mark {
    case .note(let note): notes.append(note)
    case .reportedVisit(let visit):
      others.count(mark)
      if reportedVisits.count < Self.mostReportedVisits { reportedVisits.append(visit) }
    case .issue(let found):
      let issue = located(found)
      issueCount += 1
      if issue.kind != .record, ending == nil { ending = issue }
      let isReported = issueCount <= Self.reportedIssues || issue.kind != .record
      if isReported { add(.issue(issue)) } else { unreportedCount += 1 }
    case .status(let change): add(.status(change))
    case .source(let device): (source, isShared) = (device, true)
    case .deadline(let deadline): add(.deadline(deadline))
    case .anchor(let command): add(.anchor(command))
    case .forgotten: add(.forgotten)
    case .segment:
      order.isBeginning = true
      starts?.beginSegment()
      others.count(mark)
    default:
      if keepsHeadings, case .heading(let heading) = mark { keep(heading) }
      if case .track(let name) = mark {
        order.isBeginning = true
        starts?.beginSegment()
        lastTrackName = name.flatMap { $0.isEmpty ? nil : $0 }
        trackName = trackName ?? lastTrackName
      }
      others.count(mark)
    }
  }
}
