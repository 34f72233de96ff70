import ArgumentParser
import Comparing
import Formats
import Scoring
import Session
import Settings
import System
import Text
import Tracking

struct CompareCommand: ParsableCommand {
  /// How a comparison is written.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, jsonl, markdown }

  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare what two configs report on the same tracks.",
    discussion: """
      Plays tracks under both configs, as replay does, and shows the events that were added (+), \
      removed (-) or moved (~) by the second, and how many are the same. Folders and ZIP archives of \
      tracks work. \
      Events are matched by device, fence, kind and nearest time, never by id. A moved event has \
      another time, place or departure, or was reported at another time.

        waymark compare waymark.yaml fleet.yaml day.gpx
        waymark compare waymark.yaml fleet.yaml trips --format markdown

      With --log it compares two event logs in JSON Lines: what moved when a golden changed. \
      Fixes and problems are not compared.

        waymark compare --log old.jsonl new.jsonl

      With --sweep it plays the tracks under one config with each value of a setting, and shows how \
      many events are right, false and missed, and how late they were reported: against a truth of \
      simulate, or against the config as it is. Only events that the setting is about are counted.

        waymark compare waymark.yaml day.gpx --sweep fences.home.radius=50..200/50
        waymark compare waymark.yaml day.gpx --sweep visits.minimum-stay=2..10/1min
        waymark compare van.yaml day.gpx --sweep fences.home.decision=eager,strict

      The exit code is 0 if nothing differs (and always after a sweep), 1 if something does, and 65 \
      if an input had errors.
      """)

  @Argument(
    help: ArgumentHelp(
      """
      Two configs and tracks or folders of tracks; one config and tracks with --sweep; two event \
      logs with --log.
      """, valueName: "file"),
    completion: .file())
  var files: [String]

  @Flag(help: "Compare two event logs in JSON Lines.")
  var log = false

  @Option(
    help: ArgumentHelp(
      "Try each value of a setting: fences.home.radius=50..200/10", valueName: "setting=values"),
    transform: Self.sweep)
  var sweep: Sweep?

  @Option(
    help: ArgumentHelp(
      "Folder with the truth that a sweep is compared with.", valueName: "dir"),
    completion: .directory)
  var truth: String?

  @Option(
    help: ArgumentHelp(
      "Events further apart than this are different events, 10 min unless given.",
      valueName: "time"),
    transform: MeasureArgument.duration)
  var within = 600.0

  @Option(help: "How the comparison is written: text, jsonl or markdown.")
  var format: Format = .text

  @OptionGroup var naming: DeviceOptions

  @OptionGroup var paths: PathOptions

  @OptionGroup var span: SpanOptions

  private static func sweep(_ text: String) throws -> Sweep {
    do throws(Sweep.Mistake) {
      return try Sweep(text)
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// Seconds; a longer limit would make one event of those of different days.
  private static let longestLimit = 86_400.0

  func validate() throws {
    guard within <= Self.longestLimit else {
      throw ValidationError("--within is more than 1 d; expected a time such as 10min")
    }
    if truth != nil, sweep == nil {
      throw ValidationError("--truth is for --sweep; score compares one log with the truth")
    }
    if log {
      try checkLogs()
    } else {
      try checkTracks()
    }
  }

  private func checkLogs() throws {
    guard sweep == nil, naming.device == nil, span.from == nil, span.until == nil else {
      throw ValidationError(
        "--sweep, --device, --from and --until are for tracks; --log compares two event logs")
    }
    guard files.count == 2 else {
      throw ValidationError("--log needs two event logs, found \(files.count)")
    }
    try StandardInput.checkGivenOnce(in: files)
  }

  private func checkTracks() throws {
    let configs = sweep == nil ? 2 : 1
    guard files.count > configs else {
      throw ValidationError(
        sweep == nil
          ? "expected two configs and a track: waymark compare A.yaml B.yaml TRACK"
          : "expected a config and a track: waymark compare A.yaml TRACK --sweep …")
    }
    guard !files.contains("-") else {
      throw ValidationError(
        "standard input (-) can be read only once, not for each config; name a file")
    }
  }

  func run() throws {
    do {
      if log {
        try compareLogs()
      } else if let sweep {
        try run(sweep)
      } else {
        try compareConfigs()
      }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  // MARK: Two logs

  private func compareLogs() throws {
    var errors = 0
    let logs = try files.map { path in
      var file = try LogFile(path: path) { Terminal.report("waymark: \($0)") }
      defer { errors += file.errors }
      return try file.read()
    }
    try finish(logs[0], logs[1], errors)
  }

  /// Writes the comparison of two logs and ends with its exit code.
  private func finish(_ old: ComparedLog, _ new: ComparedLog, _ errors: Int) throws {
    let (devices, others) = (old.devices, new.devices)
    if let one = devices.min(), let other = others.min(), devices.isDisjoint(with: others) {
      Terminal.report(
        "waymark: no device has events in both, such as '\(one.text)' and '\(other.text)'"
          + (log ? "" : "; --device gives them one name"))
    }
    let comparison = Comparison(old, new, limit: within)
    switch format {
    case .text: try Terminal.answer(ComparisonText.lines(comparison))
    case .markdown: try Terminal.answer(ComparisonText.markdown(comparison))
    case .jsonl: try OutputFile.standard.append(ComparisonJSON.bytes(comparison))
    }
    if errors > 0 { throw ExitStatus.badData }
    if !comparison.isSame { throw ExitStatus.different }
  }

  // MARK: Two configs

  private func compareConfigs() throws {
    let settings = try files.prefix(2).map { try played($0) }
    let (playback, meter) = try playback(files.dropFirst(2))
    defer { meter.finish() }
    let results = try playback.play(settings) { number, outcome in
      (try ComparedLog(outcome.log, file: files[number]), outcome.issues)
    }
    meter.finish()
    try finish(results[0].0, results[1].0, results[0].1)
  }

  /// What a config plays tracks under.
  private func played(
    _ path: String, changing change: ConfigurationChange? = nil
  ) throws -> Playback.Settings {
    let settings = try Configuration(
      path: path, sections: SessionOptions.sections, changing: change)
    var tables = settings[CSVSection.self].options
    tables.devices = paths.deviceFrom
    return Playback.Settings(
      rules: try settings.rules(), device: naming.device ?? settings.device,
      tables: tables)
  }

  private func playback(
    _ paths: ArraySlice<String>
  ) throws -> (playback: Playback, meter: ProgressMeter) {
    var playback = Playback(tracks: Array(paths), threads: Parallel.cores)
    (playback.from, playback.until) = (span.from, span.until)
    let meter = ProgressMeter()
    playback.warn = {
      meter.finish()
      Terminal.report("waymark: \($0)")
    }
    playback.progress = { meter.show($0.line(elapsed:)) }
    return (playback, meter)
  }

  // MARK: A sweep

  private func run(_ sweep: Sweep) throws {
    let base = try played(files[0])
    let settings = try sweep.changes.map { try changed($0) }
    let known = try truth.map { try TruthFolder.read($0) }
    var (playback, meter) = try playback(files.dropFirst())
    defer { meter.finish() }
    var issues = 0
    let reference: SweepReference
    if let known {
      reference = .truth(known)
    } else {
      let results = try playback.play([base]) { _, outcome in
        (try ComparedLog(outcome.log, file: files[0]), outcome.issues)
      }
      reference = .log(results[0].0, limit: within)
      issues = results[0].1
      playback.warn = { _ in }
    }
    let scorer = SweepScorer(key: sweep.key, reference: reference)
    let results = try playback.play(settings) { number, outcome in
      let row = try scorer.row(sweep.values[number], outcome, settings[number].rules)
      return (row, outcome.issues)
    }
    meter.finish()
    let rows = results.map(\.0)
    switch format {
    case .text: try Terminal.answer(ComparisonText.lines(rows, key: sweep.key))
    case .markdown: try Terminal.answer(ComparisonText.markdown(rows, key: sweep.key))
    case .jsonl: try OutputFile.standard.append(ComparisonJSON.bytes(rows, key: sweep.key))
    }
    if max(issues, results[0].1) > 0 { throw ExitStatus.badData }
  }

  /// The config is valid without the change, so an error is one of the option.
  private func changed(_ change: ConfigurationChange) throws -> Playback.Settings {
    do {
      return try played(files[0], changing: change)
    } catch let error as ConfigurationError {
      throw ValidationError("--sweep \(error)")
    }
  }
}
