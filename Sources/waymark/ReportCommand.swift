import ArgumentParser
import EventLog
import MapTiles
import Playing
import Reporting
import Session
import Settings
import System
import Tracking

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a recording as a web page: map, events, visits, strips.",
    discussion: """
      Plays recorded tracks as replay does and writes one HTML file, which needs no network and no \
      server: the track coloured by speed, the engine's estimate and its uncertainty, fences, \
      crossings, visits and trips, and what the engine knew at every moment.

        waymark report day.gpx --config waymark.yaml -o day.html
        waymark report van-*.csv --config fleet.yaml -o fleet.html
        waymark report day.gpx --fence home=52.5163,13.3777,100 -o day.html
        waymark report day.gpx --config waymark.yaml --svg day.svg
        waymark report day.gpx --config waymark.yaml --hindsight -o day.html

      With `tiles` in the config the map has the tiles of an MBTiles file, or of a server, which the \
      browser then asks for them.

      The exit code is 65 if an input had errors; everything readable is in the page.
      """)

  @Argument(
    help: ArgumentHelp(
      "Tracks to show, or folders of them; - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @OptionGroup var session: SessionOptions

  @OptionGroup var span: SpanOptions

  @OptionGroup var tables: TableOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The page to write; - for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write the map alone as a picture; - for standard output.", valueName: "file"),
    completion: .file())
  var svg: String?

  @Flag(help: "Decide each event, and estimate each position, with the fixes before and after it.")
  var hindsight = false

  @OptionGroup var work: ThreadOptions

  func validate() throws {
    guard output != nil || svg != nil else {
      throw ValidationError("-o is missing; expected a name such as day.html")
    }
    guard output != "-" || svg != "-" else {
      throw ValidationError("--output and --svg both use standard output (-); name a file for one")
    }
    try StandardInput.checkGivenOnce(in: files)
    try FileUse.check(uses())
  }

  private func uses(_ settings: Configuration = Configuration()) -> [FileUse?] {
    FileUse.inputs(files) + FileUse.config(session.config, settings)
      + [FileUse.output("--output", output), FileUse.output("--svg", svg)]
  }

  func run() throws {
    do {
      let settings = try session.configuration()
      try FileUse.check(uses(settings))
      let report = Report(rules: try session.rules(settings), hindsight: hindsight)
      let totals = try play(settings, into: report)
      if let output {
        try addTiles(settings, to: report)
        try Self.write(ReportPage.bytes(of: report), to: output)
      }
      if let svg { try Self.write(ReportMap.bytes(of: report), to: svg) }
      for line in totals.summary { Terminal.report("waymark: \(line)") }
      if totals.issues > 0 { throw ExitStatus.badData }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private func addTiles(_ settings: Configuration, to report: Report) throws(TileError) {
    guard let settings = settings[TileSection.self] else { return }
    let tiles = try PageTiles(settings, around: report.places)
    if case .embedded(let embedded) = tiles.images, let remark = embedded.remark {
      Terminal.report("waymark: \(remark)")
    }
    report.tiles = tiles
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(OutputError) {
    let file = try OutputFile.named(path)
    try file.append(bytes)
    try file.close()
  }

  /// Plays the tracks to their ends; the log goes to the report alone.
  private func play(_ settings: Configuration, into report: Report) throws -> SessionTotals {
    let feeds = try TraceFeed.open(
      files, options: tables.options(settings), threads: work.threads, remark: Terminal.remark)
    for feed in feeds { feed.starts = SegmentStarts() }
    let rules = try session.rules(settings)
    var replay = Replay(
      feeds: feeds, rules: rules, device: session.device ?? settings.device,
      kinds: report.kinds, output: EventLogFile(store: report), threads: work.threads,
      placeNames: try SessionOptions.names(settings, waits: true), hindsight: hindsight)
    (replay.from, replay.until) = (span.from, span.until)
    let meter = ProgressMeter()
    replay.warn = {
      meter.finish()
      Terminal.report("waymark: \($0)")
    }
    replay.progress = { meter.show($0.line(elapsed:)) }
    defer { meter.finish() }
    let totals = try replay.run()
    report.finish(feeds.flatMap { $0.starts?.all ?? [] })
    return totals
  }
}
