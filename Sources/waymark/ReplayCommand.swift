import Settings
import ArgumentParser
import EventLog
import Outbox
import Playing
import Session
import Storing
import System
import Tracking

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play recorded tracks through the engine and print what happened.",
    discussion: """
      Reads GPX 1.0 and 1.1, TCX, KML, FIT, IGC, GeoJSON, JSON of Google, OwnTracks and Traccar, \
      CSV, NDJSON of fixes, gpsd logs and NMEA 0183; the content decides the format, and gzip \
      works. `-` is standard input. Several files are several devices, merged by time. A folder or a \
      ZIP archive (also KMZ) is one recording of one device: the tracks in it, in the order of their \
      times.

        waymark replay day.gpx --fence home=52.5163,13.3777,100
        waymark replay van-*.csv --config fleet.yaml --output events.txt
        waymark replay trips --device-from '{device}/*' --config fleet.yaml
        zcat day.gpx.gz | waymark replay - --config waymark.yaml --speed 60
        waymark replay day.gpx --config waymark.yaml --include enter --include exit
        waymark replay day.gpx --config waymark.yaml --store events.gpkg
        waymark replay day.gpx --config house.yaml --deliver
        waymark replay day.gpx --include visit --include significant-change
        waymark replay day.gpx --config waymark.yaml --hindsight

      Visits and significant changes follow the default rules unless the config changes them.

      The exit code is 65 if an input had errors; everything readable was still played. With \
      --deliver it is 69 if a receiver could not be reached.
      """)

  @Argument(
    help: ArgumentHelp(
      "Tracks to play, or folders of them; - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @OptionGroup var session: SessionOptions

  @OptionGroup var events: EventOptions

  @OptionGroup var text: LayoutOptions

  @OptionGroup var span: SpanOptions

  @OptionGroup var tables: TableOptions

  @Option(
    // So -1 is reported as an invalid value, not as a missing one.
    parsing: .unconditional,
    help: ArgumentHelp(
      "How fast: max, or a multiple of real time above 0 (1 is real time).", valueName: "max|n"))
  var speed: PlaySpeed = .max

  @Option(
    help: ArgumentHelp(
      "Write the events to this file; - for standard output, the default.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var keeping: StoreOptions

  @OptionGroup var delivery: DeliveryOptions

  @Flag(
    help: """
      In text, print every line as it was decided: a visit as soon as it is certain and again when it \
      is over. Without it, a visit is printed once, when it is over. JSON Lines and CSV always have \
      every line.
      """)
  var live = false

  @Flag(
    help: """
      Report, store and deliver losses of the fix, the receiver and gpsd and their return too, as watch \
      does; a recording of watch has them all.
      """)
  var withStatus = false

  @Flag(
    help: """
      Decide every event with the fixes before and after it, as the recording is known to its end: \
      better than what a live run can know, and never what it reports. A visit is reported once, \
      when it is over.
      """)
  var hindsight = false

  @OptionGroup var work: ThreadOptions

  func validate() throws {
    try StandardInput.checkGivenOnce(in: files)
    try FileUse.check(uses())
    if hindsight, speed.pace.isLimited {
      throw ValidationError(
        "--hindsight needs the fixes after an event, so it cannot go with --speed; leave one out.")
    }
    if hindsight, live {
      throw ValidationError(
        "--hindsight reports a visit once, so it cannot go with --live; leave one out.")
    }
  }

  private var kinds: Set<LogEntry.Kind> {
    withStatus ? events.kinds.union([.status]) : events.kinds
  }

  private func uses(_ settings: Configuration = Configuration()) -> [FileUse?] {
    FileUse.inputs(files) + FileUse.config(session.config, settings)
      + [FileUse.output("--output", output), keeping.use(settings)]
  }

  func run() throws {
    let settings = try session.configuration(placesFences: true)
    do {
      try FileUse.check(uses(settings))
      let (rules, anchors) = try session.rulesAndAnchors(settings)
      if hindsight, let anchor = anchors.first {
        throw ValidationError(
          "--hindsight cannot place the fence '\(anchor.fence.id)' (here) by fixes; leave one out")
      }
      let feeds = try openFeeds(settings)
      var output = try openOutput(rules.fences, settings, feeds)
      let store = try keeping.open(
        settings, rules.fences, hindsight: hindsight, keepsStatus: kinds.contains(.status))
      let outbox = try delivery.start(settings, keeping.settings(settings), rules.fences)
      if let store = DeliveryOptions.store(store, outbox) {
        output.keep(in: store, showing: kinds)
      }
      var replay = Replay(
        feeds: feeds, rules: rules, device: session.device ?? settings.device,
        kinds: kinds.union(store?.kinds ?? []), output: output, threads: work.threads,
        placeNames: try SessionOptions.names(settings, waits: true), hindsight: hindsight,
        anchors: anchors)
      (replay.from, replay.until) = (span.from, span.until)
      replay.pace = speed.pace
      let meter = ProgressMeter()
      replay.warn = {
        meter.finish()
        Terminal.report("waymark: \($0)")
      }
      replay.progress = { meter.show($0.line(elapsed:)) }
      defer { meter.finish() }
      let totals = try replay.run()
      meter.finish()
      for line in totals.summary { Terminal.report("waymark: \(line)") }
      if let outbox { try DeliveryOptions.finish(outbox) }
      if totals.issues > 0 { throw ExitStatus.badData }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// Opens all files first, so a wrong name is reported before anything is played.
  private func openFeeds(_ settings: Configuration) throws(SessionError) -> [TraceFeed] {
    do {
      return try TraceFeed.open(
        files, options: tables.options(settings), threads: work.threads,
        remark: Terminal.remark)
    } catch {
      throw .trace(error)
    }
  }

  private func openOutput(
    _ fences: FenceSet, _ settings: Configuration, _ feeds: [TraceFeed]
  ) throws(OutputError) -> EventLogFile {
    let path = output ?? "-"
    // Events of a pipe or of a slow replay are wanted as they come.
    let waits = live || speed.pace.isLimited || feeds.contains { $0.progress.total == nil }
    return EventLogFile(
      file: try .named(path), format: events.format, fences: fences, isLive: live,
      isOrdered: !waits, layout: text.layout(settings, toFile: path != "-"))
  }
}
