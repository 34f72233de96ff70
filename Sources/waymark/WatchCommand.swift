import Settings
import Session
import GPSD
import Receivers
import System
import ArgumentParser
import EventLog
import Glibc
import MapTiles
import Outbox
import PlaceNaming
import Serving
import Storing
import Text
import Tracking
import Watching

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Watch a live receiver through gpsd and print what happens.",
    discussion: """
      Like replay, but with live data from gpsd, until SIGINT or SIGTERM. A lost connection is \
      retried, for months if need be. SIGHUP reloads the config (an unchanged fence keeps its \
      state) and reopens the output file; on a terminal it ends watch, unless --reload-on-hangup \
      is given.

        waymark watch --fence home=52.5163,13.3777,100
        waymark watch gpsd://boat.local --config waymark.yaml --format jsonl
        waymark watch --config van.yaml --output events --state /var/lib/van/state
        waymark watch --config van.yaml --web 8080
        waymark watch gpsd://boat.local gpsd://localhost --config waymark.yaml
        waymark watch --ais --fence harbour=54.5057,8.9943,400m

      Several sources are several devices: each is watched by itself, and a source that hangs delays no \
      other. The events come in the order in which the reports came, and a recording has the reports in \
      that order. Phones and trackers are sources of the config: those that report by HTTP are \
      {http: 8090}, those of a broker {mqtt: mqtt://broker.local}. With --ais each ship that gpsd reports \
      is a device as well.

      With --state, the engine's state survives the end of the program: after a kill -9 no event is \
      lost or repeated; a power cut may cost the last half minute. A systemd service with a \
      StateDirectory needs no option.

      The exit code is 69 when gpsd is unavailable and --no-reconnect is given, 74 when lines of a \
      recording or events were lost.

      Every line is printed as it is decided, as by `replay --live`: a visit as soon as it is certain, \
      and again when it is over.

      A terminal shows the position, the nearest fences and the last events in its last lines.
      """)

  @OptionGroup var live: LiveSource

  @OptionGroup var session: SessionOptions

  @OptionGroup var events: LiveEventOptions

  @OptionGroup var text: LayoutOptions

  @Option(
    help: ArgumentHelp(
      "Append the events to this file; - for standard output, the default.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp("Save the engine's state in this file.", valueName: "file"),
    completion: .file())
  var state: String?

  @OptionGroup var keeping: StoreOptions

  @Option(
    help: ArgumentHelp(
      "Record gpsd's data to this file, like record.", valueName: "file"),
    completion: .file())
  var record: String?

  @Option(
    help: ArgumentHelp(
      """
      Begin a new recording at this size (100MB, 1GB, …; what comes at once is not split), or each \
      day.
      """, valueName: "size|day"),
    transform: RecordingRotation.argument)
  var rotate: RecordingRotation?

  @Option(
    help: ArgumentHelp(
      "Write the receiver's status to this file, one JSON object, every ten seconds and at every change.",
      valueName: "file"), completion: .file())
  var status: String?

  @Flag(help: "Reload the config on SIGHUP on a terminal too, instead of ending.")
  var reloadOnHangup = false

  @OptionGroup var map: WebOptions

  func validate() throws {
    if rotate != nil, record == nil {
      throw ValidationError("--rotate is for a recording; name its file with --record")
    }
    try FileUse.checkRecording("--record", record)
    try FileUse.checkState(state)
    try FileUse.checkFile("--status", status, for: "status file", suchAs: "status.json")
    try FileUse.check(uses())
  }

  private func uses(_ settings: Configuration = Configuration()) -> [FileUse?] {
    FileUse.config(session.config, settings) + FileUse.tokens(of: settings) + [
      FileUse.output("--output", output), keeping.use(settings),
      record.map { .writing("--record", $0, suffixes: RecordingWriter.suffixes) },
      (state ?? Self.serviceState).map {
        .writing("--state", $0, suffixes: StateStore.suffixes)
      },
      status.map { .writing("--status", $0, suffixes: WholeFile.suffixes) },
      map.webToken.map { .writing("--web-token", $0, suffixes: WholeFile.suffixes) },
    ]
  }

  /// The settings of the config, which names no file that this command writes.
  private func checkedConfiguration() throws -> Configuration {
    let settings = try session.configuration(placesFences: true)
    do {
      try FileUse.check(uses(settings))
    } catch {
      throw ExitStatus.of(error)
    }
    return settings
  }

  func run() throws {
    let settings = try checkedConfiguration()
    let sources = try live.sources(settings, device: session.device)
    let inlets = live.inlets(settings)
    let many = Self.many(sources, inlets)
    let (rules, anchors) = try rulesAndAnchors(settings, many)
    var plan = WatchRun.Plan(
      sources: sources, rules: rules, kinds: events.kinds, format: events.format.value)
    plan.anchors = anchors
    plan.output = output == "-" ? nil : output
    plan.layout = text.layout(settings, toFile: plan.output != nil)
    plan.state = state ?? Self.serviceState
    plan.status = status
    plan.record = record
    plan.rotation = rotate ?? .never
    plan.link = live.options
    plan.reloadsOnHangup = reloadOnHangup || !Terminal.isAttached
    plan.names = try SessionOptions.names(settings, waits: false)
    plan.hasView = getenv("TERM").map { String(cString: $0) != "dumb" } ?? true
    plan.zone = text.zone(settings, isTerminal: OutputFile.standardError.isTerminal)
    plan.isColoured = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
    plan.mostDevices = live.mostDevices(settings)
    let store = try keeping.openLive(settings, plan.rules.fences)
    let outbox = try DeliveryOptions.start(settings, keeping.settings(settings), plan.rules.fences)
    // The queues are in the store: once they are open, what it failed for has passed.
    plan.storeFailure = outbox == nil ? store?.failure : nil
    plan.store = DeliveryOptions.store(store, outbox)
    plan.delivery = outbox
    let map = try map.start(
      settings, plan.rules.fences, hasSeveralDevices: many != nil)
    defer { map?.shutDown() }
    plan.audience = map
    if let map, let store { show(store, on: map, plan, inlets) }
    let phones = try LiveInlets(
      inlets, keeper: plan.state ?? record, receivers: settings[DeliverSection.self])
    defer { phones.shutDown() }
    plan.inlets = phones.watched
    do {
      let watch = try WatchRun(plan)
      watch.reload = { reload(settings, many) }
      let (end, totals) = watch.run()
      for line in totals.summary { Terminal.report("waymark: \(line)") }
      if watch.hasLosses { throw ExitStatus.inputOutput }
      if end == .unavailable { throw ExitStatus.unavailable }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// Shows the last events of earlier runs, which a client that was away may not have.
  ///
  /// A store may have other devices than those of this run.
  private func show(
    _ store: LateStore, on map: LiveMap, _ plan: WatchRun.Plan, _ inlets: [Configuration.Inlet]
  ) {
    let hasAppearing = !inlets.isEmpty || plan.sources.contains(where: \.hasShips)
    let devices = hasAppearing ? nil : Set(plan.sources.map { ExactText($0.device) })
    do throws(EntryStoreError) {
      let lines = try store.lastLines(WebLimits().events, of: plan.kinds, devices: devices)
      map.show(stored: lines)
    } catch {
      Terminal.report("waymark: \(error)")
    }
  }

  /// How there is more than one device; nil when there is one.
  private static func many(
    _ sources: [WatchedSource], _ inlets: [Configuration.Inlet]
  ) -> String? {
    guard inlets.isEmpty else { return "its phones are several" }
    if sources.contains(where: \.hasShips) { return "its ships are several" }
    return sources.count > 1 ? "there are \(sources.count) sources" : nil
  }

  /// The rules, and the fences that fixes place: only one device can place them.
  private func rulesAndAnchors(
    _ settings: Configuration, _ many: String?
  ) throws -> (rules: Rules, anchors: [AnchorPlan]) {
    let (rules, anchors) = try session.rulesAndAnchors(settings)
    if let anchor = anchors.first, let many {
      throw ExitStatus.of(
        ValidationError(
          "the fence '\(anchor.fence.id)' has center: here, which is where one device is, but \(many); "
            + "name one source, and run another watch for each other boat"))
    }
    return (rules, anchors)
  }

  /// Reloads the configuration; nil when it is invalid, which is reported.
  private func reload(
    _ first: Configuration, _ many: String?
  ) -> (rules: Rules, anchors: [AnchorPlan])? {
    do {
      let settings = try checkedConfiguration()
      if settings[DeliverSection.self] != first[DeliverSection.self]
        || settings[StoreSection.self] != first[StoreSection.self]
        || settings[GeocoderSection.self] != first[GeocoderSection.self]
        || settings[TileSection.self] != first[TileSection.self]
        || settings.timeZone != first.timeZone || settings.inlets != first.inlets
        || settings.sources != first.sources || settings.device != first.device
      {
        Terminal.report(
          "waymark: changes of device, sources, store, deliver, geocoder, tiles and time-zone need a "
            + "restart")
      }
      return try rulesAndAnchors(settings, many)
    } catch {
      Terminal.report("waymark: keeping the previous configuration")
      return nil
    }
  }

  /// The folder for a service's state under systemd (systemd.exec(5), StateDirectory).
  static var serviceState: String? {
    guard let folders = getenv("STATE_DIRECTORY").map({ String(cString: $0) }) else { return nil }
    return folders.split(separator: ":").first.map { "\($0)/watch.state" }
  }
}
