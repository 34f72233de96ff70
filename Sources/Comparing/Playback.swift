internal import EventLog
package import Formats
internal import Locking
package import Playing
internal import Session
internal import System
package import Text
internal import Traces
package import Tracking

/// Plays the same tracks under several settings, as `replay` does.
///
/// Settings are played at the same time, each in a ``Replay`` of its own, so nothing depends on which
/// is done first.
package struct Playback {
  /// What tracks are played under.
  package struct Settings: Sendable {
    package let rules: Rules
    /// The device of fixes that name none; nil for the name of their track or file.
    package let device: String?
    /// What the config says of tables.
    package let tables: ReadingOptions

    package init(
      rules: Rules, device: String?, tables: ReadingOptions = ReadingOptions()
    ) {
      self.rules = rules
      self.device = device
      self.tables = tables
    }
  }

  /// What the engine reported.
  package struct Outcome: Sendable {
    /// The event log in JSON Lines.
    package let log: [UInt8]
    /// All devices, with and without events.
    package let devices: Set<ExactText>
    /// The number of errors in the tracks.
    package let issues: Int
  }

  /// The paths of the tracks and of folders of tracks.
  package let tracks: [String]
  /// The time span to play, both ends included; nil for no bound.
  package var from: Timestamp?
  package var until: Timestamp?
  /// The number of threads.
  package let threads: Int
  /// Called with a message for every error in a track, once for all settings.
  package var warn: (String) -> Void = { _ in }
  /// Called from time to time, by one thread at a time, with the progress of all settings together.
  package var progress: (ReplayProgress) -> Void = { _ in }

  package init(tracks: [String], threads: Int) {
    self.tracks = tracks
    self.threads = threads
  }

  /// Plays all tracks under each of the settings.
  ///
  /// - Parameter read: Makes a result of an outcome; several threads call it.
  /// - Returns: The results in the order of the settings.
  /// - Throws: The error of the first of the settings that has one.
  package func play<Reading>(
    _ settings: [Settings], _ read: @escaping (Int, Outcome) throws -> Reading
  ) throws -> [Reading] {
    if let pipe = tracks.first(where: WholeFile.isSpecial) {
      throw SessionError.trace(
        .unreadable(
          path: pipe,
          reason: "a pipe can be read only once, not for each of the settings; save it to a file"))
    }
    let total = ProgressSum(settings.count, report: progress)
    let jobs = settings.indices.map { _ in Job<Reading>() }
    let threadsOfEach = max(1, threads / max(1, min(settings.count, threads)))
    Parallel.forEach(settings.count, threads: threads) { number, _ in
      jobs[number].outcome = Result {
        let outcome = try play(
          settings[number], threads: threadsOfEach, isFirst: number == 0
        ) { replay in
          if number == 0 { replay.warn = warn }
          replay.progress = { total.note($0, of: number) }
        }
        return try read(number, outcome)
      }
    }
    return try jobs.compactMap { try $0.outcome?.get() }
  }

  private final class Job<Reading> {
    /// Nil before it is done.
    var outcome: Result<Reading, any Error>?
  }

  private func play(
    _ settings: Settings, threads: Int, isFirst: Bool, _ prepare: (inout Replay) -> Void
  ) throws(SessionError) -> Outcome {
    let log = LogText()
    var replay = Replay(
      feeds: try openFeeds(settings.tables, threads: threads, remark: isFirst ? warn : { _ in }),
      rules: settings.rules,
      device: settings.device,
      kinds: log.kinds, output: EventLogFile(store: log), threads: threads)
    (replay.from, replay.until) = (from, until)
    prepare(&replay)
    let totals = try replay.run()
    return Outcome(
      log: log.bytes, devices: Set(replay.deviceNames.map(ExactText.init)), issues: totals.issues)
  }

  private func openFeeds(
    _ tables: ReadingOptions, threads: Int, remark: (String) -> Void
  ) throws(SessionError) -> [TraceFeed] {
    do throws(TraceError) {
      return try TraceFeed.open(tracks, options: tables, threads: threads, remark: remark)
    } catch {
      throw .trace(error)
    }
  }
}

/// Keeps a log as text.
private final class LogText: EntryStore {
  let kinds = ComparedLog.kinds
  private(set) var bytes: [UInt8] = []

  func keep(_ entries: [LogEntry]) throws(EntryStoreError) {
    for entry in entries { JSONLinesWriter.append(entry, to: &bytes) }
  }

  func keep(_ fences: FenceSet) throws(EntryStoreError) {}
}

/// The progress of several replays of the same tracks.
private final class ProgressSum {
  private let parts: Mutex<[ReplayProgress?]>
  private let report: (ReplayProgress) -> Void

  init(_ count: Int, report: @escaping (ReplayProgress) -> Void) {
    parts = Mutex(Array(repeating: nil, count: count))
    self.report = report
  }

  func note(_ progress: ReplayProgress, of number: Int) {
    parts.withLock { parts in
      parts[number] = progress
      var sum = ReplayProgress(fixes: 0, bytesRead: 0, bytesTotal: nil)
      for part in parts {
        sum.fixes += part?.fixes ?? 0
        sum.bytesRead += part?.bytesRead ?? 0
      }
      sum.bytesTotal = progress.bytesTotal.map { $0 * parts.count }
      report(sum)
    }
  }
}
