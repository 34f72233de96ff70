import ArgumentParser
import EventLog
import Glibc
import Playing
import Session
import Settings
import Storing
import System
import TrackFiles
import Tracking

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write recorded tracks, or their events, in another format.",
    discussion: """
      The ending of the output decides the format: .gpx, .geojson, .kml, .gpkg (GeoPackage), .csv or \
      .ndjson. With `-o -` the output is standard output, and --format names the format.

        waymark convert day.gpx -o day.csv
        waymark convert van-*.csv -o vans.geojson
        waymark convert day.gpx.gz -o day.kml --simplify 5m
        waymark convert day.gpx -o clean.gpx --clean
        waymark convert day.gpx -o sorted.gpx --sort
        waymark convert day.gpx -o map.gpx --events --config waymark.yaml
        waymark convert day.gpx -o - --format ndjson

      Every value of a fix is kept that the format has a place for; waypoints, routes and what else \
      is not written is counted. With --events the tracks go through the engine, as with replay, and \
      the output has what happened instead: crossings, visits, changes. --config names the columns \
      and the time zone of tables as well, and the device.

      The exit code is 65 if an input had errors; everything readable was still written.
      """)

  @Argument(
    help: ArgumentHelp(
      "Tracks to convert, or folders of them; - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
    completion: .file())
  var output: String

  @Option(help: "The format, when the ending of the output does not name it.")
  var format: ConversionFormat?

  @Flag(
    help: """
      Write where the engine takes the device to be, with its accuracy, speed and course, instead of \
      the fixes.
      """)
  var clean = false

  @Flag(help: "Write the events instead of the fixes.")
  var events = false

  @Flag(help: "With --events, decide each event with the fixes before and after it.")
  var hindsight = false

  @Option(
    help: ArgumentHelp(
      "Leave out fixes that lie at most this far from the line through the others: 5m.",
      valueName: "length"),
    transform: MeasureArgument.length)
  var simplify: Double?

  @Flag(
    help: """
      Write the fixes in the order of time, for recordings that run backwards or whose tracks are out \
      of order. All fixes are held in memory, 10 million at most.
      """)
  var sort = false

  @OptionGroup var session: SessionOptions

  @OptionGroup var span: SpanOptions

  @OptionGroup var tables: TableOptions

  func validate() throws {
    try StandardInput.checkGivenOnce(in: files)
    try FileUse.check(uses())
    _ = try chosenFormat()
    if events, simplify != nil {
      throw ValidationError(
        "--simplify is for fixes, so it cannot go with --events; leave one out.")
    }
    if hindsight, !events {
      throw ValidationError("--hindsight is for events; add --events.")
    }
    if events, clean {
      throw ValidationError("--clean is for fixes, so it cannot go with --events; leave one out.")
    }
    if events, sort {
      throw ValidationError(
        "--sort is for fixes, so it cannot go with --events; convert with --sort first.")
    }
    if !events, !session.fence.isEmpty {
      throw ValidationError("--fence is for events; add --events.")
    }
  }

  private func uses(_ settings: Configuration = Configuration()) -> [FileUse?] {
    FileUse.inputs(files) + FileUse.config(session.config, settings)
      + [output == "-" ? nil : .writing("--output", output, suffixes: [])]
  }

  /// The format of the option or of the output's ending.
  private func chosenFormat() throws -> ConversionFormat {
    let chosen = format ?? ConversionFormat(path: output)
    guard let chosen else {
      let endings = ConversionFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
      throw ValidationError(
        "the ending of '\(output)' names no format; expected one of \(endings), or --format")
    }
    if chosen == .gpkg, output == "-" {
      throw ValidationError(
        "a GeoPackage is a database, so it needs a file: name one that ends in .gpkg")
    }
    return chosen
  }

  func run() throws {
    do {
      let settings = try session.configuration(placesFences: !events && !clean)
      try FileUse.check(uses(settings))
      let feeds = try openFeeds(settings)
      if events { return try writeEvents(of: feeds, settings) }
      try writeTracks(of: feeds, settings)
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private func openFeeds(_ settings: Configuration) throws(SessionError) -> [TraceFeed] {
    do {
      return try TraceFeed.open(
        files, options: tables.options(settings), remark: Terminal.remark)
    } catch {
      throw .trace(error)
    }
  }

  // MARK: Fixes

  private func writeTracks(of feeds: [TraceFeed], _ settings: Configuration) throws {
    var conversion = TrackConversion(feeds: feeds, device: session.device ?? settings.device)
    conversion.span = TimeSpan(from: span.from, until: span.until)
    conversion.tolerance = simplify
    conversion.sorts = sort
    if clean {
      // The estimate depends on the gate alone.
      var rules = Rules()
      rules.gate = try session.rules(settings).gate
      conversion.cleaning = rules
    }
    conversion.warn = { Terminal.report("waymark: \($0)") }
    let totals: ConversionTotals
    if let format = try chosenFormat().tracks {
      var target = TrackFileOutput(try file(), format: format)
      totals = try conversion.run(to: &target)
    } else {
      var target = TrackStoreOutput(try newStore(keepsFixes: true))
      totals = try conversion.run(to: &target)
    }
    for line in totals.summary { Terminal.report("waymark: \(line)") }
    if totals.issues > 0 { throw ExitStatus.badData }
  }

  // MARK: Events

  private func writeEvents(of feeds: [TraceFeed], _ settings: Configuration) throws {
    let rules = try session.rules(settings)
    let kinds = LogEntry.Kind.ofTracks
    var log: EventLogFile
    if let format = try chosenFormat().events {
      log = EventLogFile(file: try file(), format: format, fences: rules.fences)
    } else {
      let store = try newStore(keepsFixes: false)
      try store.keep(rules.fences)
      log = EventLogFile(store: store)
    }
    var replay = Replay(
      feeds: feeds, rules: rules, device: session.device ?? settings.device, kinds: kinds,
      output: log, placeNames: try SessionOptions.names(settings, waits: true),
      hindsight: hindsight)
    (replay.from, replay.until) = (span.from, span.until)
    replay.warn = { Terminal.report("waymark: \($0)") }
    let totals = try replay.run()
    for line in totals.summary { Terminal.report("waymark: \(line)") }
    if totals.issues > 0 { throw ExitStatus.badData }
  }

  // MARK: The output

  private func file() throws(OutputError) -> OutputFile {
    try .named(output)
  }

  /// An empty GeoPackage; one that exists is not touched, as its rows may be all that there is of
  /// others' tracks.
  private func newStore(keepsFixes: Bool) throws -> EventStore {
    guard access(output, F_OK) != 0 else {
      throw ValidationError(
        "'\(output)' exists; a GeoPackage is written once: name another file, or remove this one")
    }
    return try EventStore(
      StoreSettings(path: output, keepsFixes: keepsFixes), isLive: false, hindsight: hindsight)
  }
}

/// The formats that `convert` writes.
enum ConversionFormat: String, ExpressibleByArgument, CaseIterable {
  case gpx, geojson, kml, gpkg, csv, ndjson

  /// The format for a path, by its ending; nil for another ending.
  init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "json": self = .geojson
    case "jsonl": self = .ndjson
    case let ending:
      guard let format = Self(rawValue: ending) else { return nil }
      self = format
    }
  }

  /// The format of tracks; nil for a database.
  var tracks: TrackFormat? { TrackFormat(rawValue: rawValue) }

  /// The format of events; nil for a database.
  var events: EventFormat? { self == .ndjson ? .jsonl : EventFormat(rawValue: rawValue) }
}
