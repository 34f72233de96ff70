import Settings
import Session
import GPSD
import System
import ArgumentParser
import Glibc
import Traces
import Tracking
import Watching

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Watch a live receiver through gpsd and print what happens.",
    discussion: """
      The same as replay, from a gpsd, until SIGINT or SIGTERM. A connection that is lost is made \
      anew, for months if need be. SIGHUP reads the config again (a fence that stays keeps its \
      state) and opens the output file anew.

        waymark watch --fence home=52.5163,13.3777,100
        waymark watch gpsd://boat.local --config waymark.yaml --format jsonl
        waymark watch --config van.yaml --output events --state /var/lib/van/state

      With --state, what the engine knows survives the end of the program: after a kill -9 no event \
      is said twice, and none is forgotten; a power cut may cost the last half minute. A service of \
      systemd with a StateDirectory has it without the option.

      The exit code is 69 when gpsd is gone and --no-reconnect is given, 74 when lines of a recording \
      or events were lost.

      On a terminal the position, the nearest fences and the last events are shown at its foot.
      """)

  @OptionGroup var live: LiveSource

  @OptionGroup var session: SessionOptions

  @OptionGroup var events: EventOptions

  @Option(
    help: ArgumentHelp("Add the events to the end of this file.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp("Keep the engine's state in this file.", valueName: "file"),
    completion: .file())
  var state: String?

  @Option(
    help: ArgumentHelp(
      "Record what gpsd says to this file, as record does.", valueName: "file"),
    completion: .file())
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Begin a new recording at this size (100MB, 1GB, …), or each day.", valueName: "size|day"),
    transform: RecordingRotation.argument)
  var rotate: RecordingRotation?

  @Option(
    help: ArgumentHelp(
      "Write how the receiver stands to this file, one JSON object, at every change.",
      valueName: "file"), completion: .file())
  var status: String?

  func validate() throws {
    if rotate != nil, record == nil {
      throw ValidationError("--rotate is for a recording; name its file with --record")
    }
    try FileUse.check([
      .config(session.config), output.map { .writing("--output", $0) },
      record.map { .writing("--record", $0, suffixes: RecordingWriter.suffixes) },
      (state ?? Self.serviceState).map {
        .writing("--state", $0, suffixes: StateStore.suffixes)
      },
      status.map { .writing("--status", $0, suffixes: WholeFile.suffixes) },
    ])
  }

  func run() throws {
    let settings = try session.configuration()
    let address = live.address(settings)
    var plan = WatchRun.Plan(
      address: address, device: session.device ?? settings.device ?? address.host,
      rules: try session.rules(settings), kinds: events.kinds, format: events.format)
    plan.output = output
    plan.state = state ?? Self.serviceState
    plan.status = status
    plan.record = record
    plan.rotation = rotate ?? .never
    plan.link = live.options
    plan.names = try SessionOptions.names(settings, waits: false)
    plan.isColoured = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
    do {
      let watch = try WatchRun(plan)
      watch.reload = { [session] in Self.reload(session) }
      let (end, totals) = watch.run()
      for line in totals.summary { Terminal.say("waymark: \(line)") }
      if watch.hasLosses { throw ExitStatus.inputOutput }
      if end == .unavailable { throw ExitStatus.unavailable }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// The settings of today; nil when they are faulty, which has been told then.
  private static func reload(_ session: SessionOptions) -> Rules? {
    do {
      return try session.rules(try session.configuration())
    } catch {
      Terminal.say("waymark: the settings from before still hold")
      return nil
    }
  }

  /// Where systemd wants a service's state to be (systemd.exec(5), StateDirectory).
  private static var serviceState: String? {
    guard let folders = getenv("STATE_DIRECTORY").map({ String(cString: $0) }) else { return nil }
    return folders.split(separator: ":").first.map { "\($0)/watch.state" }
  }
}
