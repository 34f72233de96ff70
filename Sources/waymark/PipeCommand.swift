import ArrowStreams
import EventLog
import Settings
import ArgumentParser
import Playing
import PlaceNaming
import Session
import Storing
import System
import Tracking

struct PipeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pipe",
    abstract: "Filter fixes of many devices on standard input into events.",
    discussion: """
      Reads fixes, a line each, keyed by device: NDJSON as in the event log, or CSV with a header; \
      or an Arrow IPC stream, a row each. gzip works. The events of a line are written before those of the next. It uses no clock, \
      network or randomness: the same input gives the same bytes in every run, with any number of \
      threads, so anything that runs filters over partitions can run it.

        zcat fixes.ndjson.gz | waymark pipe --config fleet.yaml >events.jsonl
        waymark pipe --in csv --order sort --config fleet.yaml <day.csv
        waymark pipe --config fleet.yaml --include enter --trailer <fixes.ndjson
        waymark pipe --config fleet.yaml --format arrow <fixes.ndjson >events.arrows

      The last line on standard error, or on standard output with --trailer, is a JSON object that \
      counts the input and output: lines, fixes, those used and those dropped by reason, devices, and \
      events by kind.

      With --state, a run continues where the previous one ended: two runs over the halves of an \
      input give what one run over all of it gives. The state is replaced after all events are \
      written. After a kill or an error, run the same input again: the state knows its last input, and \
      the same events are written again.

        waymark pipe --config fleet.yaml --state state <monday.ndjson >monday.jsonl
        waymark pipe --config fleet.yaml --state state <tuesday.ndjson >tuesday.jsonl

      With --state inband, the states are lines: one for each device before its first fix, and at the \
      end the new ones. So an engine that keeps a state for each key can run pipe. Check the trailer \
      of such a run: without it, the output is not complete.

        waymark pipe --state inband --trailer --config fleet.yaml <fixes.ndjson

      The exit code is 65 if the input had errors, including fixes out of order; everything \
      readable was still used.
      """)

  @Option(name: .customLong("in"), help: "How the fixes are written: ndjson, csv or arrow.")
  var input: PipeOptions.Input = .ndjson

  @Option(
    help: ArgumentHelp(
      """
      The order of each device's fixes. check: drop fixes that are out of order. sort: sort the \
      whole input in memory first, 20 million fixes at most. trust: assume that they are in order, \
      and put those that are a little late in their place.
      """))
  var order: PipeOptions.Order = .check

  @OptionGroup var csv: CSVOptions

  @OptionGroup var session: SessionOptions

  @OptionGroup var selection: KindOptions

  @Option(help: "How events are written: jsonl, csv or arrow.")
  var format: Format = .jsonl

  /// The formats of events; not text, whose columns depend on all earlier events.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case jsonl, csv, arrow

    var events: EventFormat { self == .csv ? .csv : .jsonl }
  }

  @Option(
    help: ArgumentHelp(
      """
      Continue from the state of all devices in this file, and save it there. inband: from lines of \
      the input, and save it to lines of the output.
      """, valueName: "file"),
    completion: .file())
  var state: String?

  @OptionGroup var keeping: StoreOptions

  @OptionGroup var delivery: DeliveryOptions

  @OptionGroup var work: ThreadOptions

  @Flag(help: "Write the counts as the last line of standard output.")
  var trailer = false

  func validate() throws {
    if trailer, format != .jsonl {
      throw ValidationError("--trailer is a line of JSON, so --format must be jsonl")
    }
    if csv.columns != nil, input != .csv {
      throw ValidationError("--columns names the columns of a table, so --in must be csv")
    }
    if carriesStates, input != .ndjson || format != .jsonl {
      throw ValidationError(
        "--state inband reads and writes lines of JSON, so --in must be ndjson and --format jsonl")
    }
    if input == .arrow || format == .arrow, !ArrowSupport.isBuiltIn {
      throw ValidationError(ArrowSupport.missing)
    }
    if input == .arrow, csv.csvTimeZone != nil {
      throw ValidationError("--csv-time-zone is for times as text, so --in must be ndjson or csv")
    }
    if format == .arrow, let kind = selection.include.first(where: { !Self.events.contains($0) }) {
      throw ValidationError(
        "--include \(kind.rawValue) is no event, and --format arrow has the columns of events; use "
          + "--format jsonl")
    }
    try FileUse.checkState(stateFile)
    try FileUse.check(uses())
  }

  /// The kinds that have a place in columns of events.
  private static let events = LogEntry.Kind.ofTracks.subtracting([.problem])

  /// Whether the states are lines of the input and of the output.
  private var carriesStates: Bool { state == "inband" }

  private var stateFile: String? { carriesStates ? nil : state }

  private func uses(_ settings: Configuration = Configuration()) -> [FileUse?] {
    [.reading("standard input", "/dev/stdin")] + FileUse.config(session.config, settings) + [
      stateFile.map { .writing("--state", $0, suffixes: PipeOptions.stateSuffixes) },
      keeping.use(settings),
    ]
  }

  private var kinds: Set<LogEntry.Kind> {
    format == .arrow ? selection.kinds.intersection(Self.events) : selection.kinds
  }

  func run() throws {
    let settings = try session.configuration()
    if !settings[GeocoderSection.self].providers.isEmpty {
      Terminal.report("waymark: pipe names no places; the config's geocoder is not used")
    }
    do {
      try FileUse.check(uses(settings))
      var plan = PipeOptions(
        rules: try session.rules(settings), input: input, order: order, kinds: kinds,
        format: format.events, device: session.device ?? settings.device ?? "stdin")
      plan.writesArrow = format == .arrow
      plan.reading = csv.settings(settings).options
      plan.threads = work.threads
      plan.state = stateFile
      plan.carriesStates = carriesStates
      plan.sumsOutput = trailer
      let store = try keeping.open(settings, plan.rules.fences)
      plan.storedKinds = store?.kinds ?? []
      var pipe = try PipeProcessor(plan, output: .standard)
      pipe.warn = { Terminal.report("waymark: \($0)") }
      let outbox = try delivery.start(settings, keeping.settings(settings), plan.rules.fences)
      pipe.store = DeliveryOptions.store(store, outbox)
      try pipe.resume()
      var totals = try pipe.run()
      try pipe.keepState()
      try pipe.writeStates()
      totals.checksum = pipe.checksum
      try (trailer ? OutputFile.standard : .standardError).append(totals.trailer)
      if let outbox { try DeliveryOptions.finish(outbox) }
      if totals.problems > 0 { throw ExitStatus.badData }
    } catch {
      throw ExitStatus.of(error)
    }
  }
}

extension PipeOptions.Input: ExpressibleByArgument {}
extension PipeOptions.Order: ExpressibleByArgument {}
