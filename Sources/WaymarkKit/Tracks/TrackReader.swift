internal import Formats
internal import Session
internal import Traces
public import Tracking

/// The fixes of track files, in the order in which a recording of them is played.
///
/// Every format that `waymark replay` reads is read: GPX, TCX, KML, FIT, IGC, GeoJSON, JSON of Google,
/// OwnTracks and Traccar, CSV, NDJSON (also event logs), gpsd logs and NMEA 0183, with or without gzip.
/// The contents decide which format it is, not the name. A folder or a ZIP archive stands for the files
/// in it; `-` is standard input. Files are read while the loop goes on, in constant memory.
///
/// ```swift
/// let track = try TrackReader("walk.gpx")
/// for fix in track { tracker.ingest(fix, into: &events) }
/// try track.finish()
/// ```
///
/// ## Problems
///
/// The initialiser throws when a file cannot be opened, or has no known format. After that the loop never
/// throws, because a `for` loop cannot: a record that cannot be read is left out and collected in
/// ``problems``, and the others are read. If a file cannot be read to its end, the loop ends there, and
/// ``finish()`` throws the reason; what came before it is good. So keep the reader, and call
/// ``finish()`` after the loop.
///
/// ## Devices
///
/// The engine follows one device at a time. If files may have several, use ``points``, whose elements have
/// the device, and a `Fleet`. A file that names no device gets the name of its track or of the file, as
/// in `replay`.
///
/// A reader is used by one task at a time, and its fixes are read once: a second loop goes on where the
/// first one stopped.
public final class TrackReader: Sequence, IteratorProtocol {
  /// How many problems are kept; more are only counted, because every line of a file may be wrong.
  public static let keptProblems = 100

  /// The problems so far, in the order of reading, at most ``keptProblems``.
  public private(set) var problems: [TrackProblem] = []
  /// How many problems there were so far.
  public var problemCount: Int { merge.issues + (failure == nil ? 0 : 1) }
  /// What else should be known of the files, such as columns of a table that are not read, one sentence
  /// each.
  public var notes: [String] { remarks + feeds.flatMap(\.notes) }
  /// The names of the devices of the fixes so far, and of the first fix of each file.
  public var devices: [String] { merge.devices.map(\.name) }

  private let feeds: [TraceFeed]
  private var merge: TraceMerge
  private var remarks: [String] = []
  private var isStarted = false
  /// Why the system could not read on.
  private var failure: TrackProblem?
  private var isAtEnd = false
  private var hasFixes = false

  /// Opens a file, a folder or a ZIP archive; `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - device: The name for fixes whose file names no device; nil for the name of the track or file.
  ///   - options: What you know of the files, such as the columns of a CSV file and its time zone.
  /// - Throws: a ``TrackProblem`` with the code ``TrackProblem/Code/notFound``,
  ///   ``TrackProblem/Code/unreadable``, ``TrackProblem/Code/unknownFormat``,
  ///   ``TrackProblem/Code/damaged`` or ``TrackProblem/Code/wrongOption``.
  /// - Complexity: O(files); it reads the beginning of each.
  public convenience init(
    _ path: String, device: String? = nil, options: TrackOptions = TrackOptions()
  ) throws(TrackProblem) {
    try self.init([path], device: device, options: options)
  }

  /// Opens several files, whose fixes are merged by time.
  ///
  /// A fix that several files have is given once.
  ///
  /// - Parameters:
  ///   - paths: Files, folders and ZIP archives.
  ///   - device: The name for fixes whose file names no device; nil for a name for each file.
  ///   - options: What you know of all of them.
  /// - Throws: the ``TrackProblem`` of the first file that has one.
  /// - Complexity: O(files); it reads the beginning of each.
  public init(
    _ paths: [String], device: String? = nil, options: TrackOptions = TrackOptions()
  ) throws(TrackProblem) {
    var found: [String] = []
    let reading = try options.reading(paths.first ?? "")
    do throws(TraceError) {
      feeds = try TraceFeed.open(paths, options: reading) { found.append($0) }
    } catch {
      throw TrackProblem(error)
    }
    remarks = found
    merge = TraceMerge(feeds, device: device)
    merge.report = { [weak self] in self?.keep(TrackProblem($0, in: $1.path)) }
  }

  /// The next fix; nil at the end, or where reading ended early (``finish()``).
  ///
  /// - Complexity: O(log n) in the number of files.
  public func next() -> Fix? { step()?.fix }

  /// The same fixes with their devices, files and lines.
  ///
  /// It is another view of the same reader: a fix is given once, by one of the two.
  public var points: some Sequence<TrackPoint> {
    IteratorSequence(Points(reader: self))
  }

  /// Throws if a file was not read to its end, or if all files have positions but none a track.
  ///
  /// It does nothing for problems of single records, which are in ``problems``, nor after a loop that you
  /// left before the end. Files without any position, such as a track that is empty, are no error.
  ///
  /// - Throws: the first ``TrackProblem`` whose ``TrackProblem/endsReading`` is true; for files with
  ///   waypoints or routes alone one with the code ``TrackProblem/Code/noTrack``.
  public func finish() throws(TrackProblem) {
    for feed in feeds {
      if let issue = feed.ending { throw TrackProblem(issue, in: feed.path) }
    }
    if let failure { throw failure }
    guard isAtEnd, !hasFixes else { return }
    for feed in feeds {
      if let issue = feed.missingTrack { throw TrackProblem(issue, in: feed.path) }
    }
  }

  /// What was found besides the fixes, so far.
  public var contents: TrackContents {
    TrackContents(feeds, duplicates: merge.duplicateCount)
  }

  private func step() -> TraceMerge.Step? {
    guard !isAtEnd else { return nil }
    do throws(TraceError) {
      if !isStarted {
        isStarted = true
        try merge.start()
      }
      if let step = try merge.next() {
        hasFixes = true
        return step
      }
    } catch {
      let problem = TrackProblem(error)
      failure = problem
      keep(problem)
    }
    isAtEnd = true
    return nil
  }

  private func keep(_ problem: TrackProblem) {
    if problems.count < Self.keptProblems { problems.append(problem) }
  }

  private struct Points: IteratorProtocol {
    let reader: TrackReader

    func next() -> TrackPoint? {
      guard let step = reader.step() else { return nil }
      let place = reader.feeds[step.source].place(ofLine: step.line)
      return TrackPoint(
        fix: step.fix, device: reader.merge.devices[step.device].name, path: place.path,
        line: place.line)
    }
  }
}
