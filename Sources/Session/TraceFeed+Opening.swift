package import Formats
internal import System
package import Traces
internal import Tracking

extension TraceFeed {
  /// The most files held open at a time; when there are more, each is closed between reads.
  private static let mostOpen = 64
  /// The bytes read at a time from files that are closed between reads: of all files together, and
  /// the least of each file.
  private static let restingBytes = 8 << 20
  private static let leastStep = 4 << 10

  /// Opens several traces, so a wrong name is reported before anything is played.
  ///
  /// A folder or an archive stands for the tracks in it, in the order of their first times.
  ///
  /// - Parameters:
  ///   - options: What the user knows of all of them.
  ///   - joinsParts: Whether the files of a rotated recording are one trace.
  ///   - threads: The number of threads.
  ///   - remark: Called with a message about files in folders and archives that are no tracks.
  /// - Throws: The error of the first trace that has one.
  package static func open(
    _ paths: [String], options: ReadingOptions = ReadingOptions(), joinsParts: Bool = true,
    threads: Int = 1, remark: (String) -> Void
  ) throws(TraceError) -> [TraceFeed] {
    let all = try paths.map { (path) throws(TraceError) in try TrackInputs(path) }
    let openings = all.flatMap { set in set.inputs.map { Opening($0, in: set, options) } }
    let step =
      openings.count > mostOpen
      ? max(leastStep, min(TraceReader.step, restingBytes / openings.count)) : nil
    // Standard input may make the program wait; a wrong name before it must be reported first.
    if threads > 1, !paths.contains("-") {
      Parallel.forEach(openings.count, threads: threads) { job, _ in openings[job].open(step) }
    } else {
      for opening in openings {
        opening.open(step)
        if opening.isFile { _ = try opening.feed.get() }
      }
    }
    if joinsParts { join(openings.compactMap { try? $0.feed.get() }, remark) }
    var (feeds, next) = ([TraceFeed](), 0)
    for set in all {
      // Followers are read by other feeds.
      let opened = openings[next..<next + set.inputs.count].filter { !$0.isFollower }
      next += set.inputs.count
      if set.kind == .file {
        for opening in opened { feeds.append(try opening.feed.get()) }
      } else {
        feeds += try set.tracks(opened, remark)
      }
    }
    if let pattern = options.devices {
      let others = feeds.filter { $0.isTrack && $0.pathDevice == nil }.map(\.path)
      report(
        others, "file does", "files do",
        "not match '\(pattern)' and \(others.count == 1 ? "has" : "have") another device",
        to: remark)
    }
    return feeds
  }

  /// Reports files in a line, if there are any.
  fileprivate static func report(
    _ paths: [String], _ one: String, _ many: String, _ what: String, to remark: (String) -> Void
  ) {
    guard !paths.isEmpty else { return }
    let names = paths.prefix(3).joined(separator: ", ") + (paths.count > 3 ? ", …" : "")
    remark("\(SessionTotals.count(paths.count, one, many)) \(what): \(names)")
  }

  /// The result of opening a file, perhaps on one of several threads.
  fileprivate final class Opening {
    let input: TrackInputs.Input
    /// Whether the user named the file itself.
    let isFile: Bool
    private let collection: String?
    private let options: ReadingOptions
    private(set) var feed: Result<TraceFeed, TraceError>
    /// Whether another feed reads it.
    var isFollower: Bool { (try? feed.get())?.isFollower == true }
    /// The first time of a track in a collection, as far as the track was read; nil for parts of recordings.
    private(set) var start: Timestamp?

    init(_ input: TrackInputs.Input, in set: TrackInputs, _ options: ReadingOptions) {
      self.input = input
      self.options = options
      isFile = set.kind == .file
      collection = isFile ? nil : set.path
      feed = .failure(.notFound(path: input.path))
    }

    func open(_ step: Int?) {
      do throws(TraceError) {
        let opened = try TraceFeed(
          path: input.path, entry: input.entry, options: options, restingStep: step)
        // A device's disk has XML documents beside its tracks.
        if !isFile, opened.isForeignDocument {
          throw .unrecognised(path: input.path, reason: "an XML document of another program")
        }
        opened.collection = collection
        if input.path != "-" { opened.pathDevice = options.devices?.device(in: input.path) }
        // Files that are joined are read by one decoder, from the first one on.
        if !isFile, opened.part == nil { start = opened.firstTime }
        feed = .success(opened)
      } catch {
        feed = .failure(error)
      }
    }
  }
}

extension TrackInputs {
  /// The tracks of a folder or an archive in the order of their first times, then one feed for each
  /// problem.
  fileprivate func tracks(
    _ openings: [TraceFeed.Opening], _ remark: (String) -> Void
  ) throws(TraceError) -> [TraceFeed] {
    var tracks: [(feed: TraceFeed, start: Timestamp)] = []
    var faulty = problems.map { TraceFeed(path: $0.path, problem: $0.reason) }
    var skipped = others + documents.map { $0.path }
    var tables: [String] = []
    var reason = documents.first.map { "\($0.path): \($0.reason)" }
    for opening in openings {
      do throws(TraceError) {
        let feed = try opening.feed.get()
        tracks.append((feed, opening.start ?? feed.firstTime ?? .never))
      } catch .unrecognised(let path, let why) {
        skipped.append(path)
        if why.hasPrefix(ForeignTable.opening) { tables.append("\(path): \(why)") }
        reason = reason ?? "\(path): \(why)"
      } catch .invalid(let path, _, _, let message) {
        faulty.append(TraceFeed(path: path, problem: message))
      } catch {
        throw error
      }
    }
    if tracks.isEmpty, faulty.isEmpty, openings.count == inputs.count {
      let place = kind == .folder ? "folder" : "archive"
      throw .unrecognised(
        path: path, reason: "no track in this \(place)" + (reason.map { "; \($0)" } ?? ""))
    }
    TraceFeed.report(
      skipped.sorted(), "file", "files", "in \(path) skipped: not a track", to: remark)
    // Of many only the count is of interest.
    if tables.count <= 3 { tables.sorted().forEach(remark) }
    // A stable order: tracks without a time, and those of the same, by path.
    tracks.sort { ($0.start, $0.feed.path) < ($1.start, $1.feed.path) }
    return tracks.map(\.feed) + faulty
  }
}
