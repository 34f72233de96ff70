import ArgumentParser
import Foundation
import Serving
import Session
import System
import Traces
import Tracking

struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "Play recorded tracks as a gpsd server.",
    discussion: """
      Programs that read gpsd see the tracks as receivers: cgps, gpspipe, gpxlogger, another gpsd, \
      or Waymark itself. Each file is a receiver of its own, replay://NAME, and so is each device \
      that a file names. Reads whatever `waymark replay` reads.

        waymark feed day.gpx
        waymark feed day.gpx --speed 60 --loop --listen 127.0.0.1:2950
        waymark feed day.gpx --now
        waymark feed trip.jsonl --verbatim --now
        waymark feed day.gpx --fault faults.txt
        waymark feed day.gpx --listen unix:/run/user/1000/gnss.sock
        waymark feed van-*.csv --from 2025-03-10T08:00:00Z --speed max
        zcat day.gpx.gz | waymark feed - --no-wait

      The track starts when the first client watches, so that client misses nothing. With --speed \
      max the slowest client sets the pace.

      --verbatim sends the lines of one recording of gpsd as gpsd sent them, with all their classes; \
      name all files of one that was rotated. With --now only the times in them change.

      A socket that is a file (unix:PATH) gives sentences of NMEA 0183 to whoever connects, as \
      GeoClue reads them. --listen may be given several times.

      A script of faults has one fault a line, at times from the first report on: \
      'at 10 s: silence 30 s', 'at 1 min: junk 200 B', 'at 2 min: clock -3 h', \
      'at 3 min: disconnect'.

      The command ends with the tracks or on SIGINT or SIGTERM.

      The exit code is 65 if an input had errors, and 69 if it cannot listen on the address.
      """)

  @Argument(
    help: ArgumentHelp(
      "Tracks to play, or folders of them; - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      """
      Where to listen: HOST:PORT, where port 0 chooses a free one, or unix:PATH. Only this machine can \
      connect, unless you give one of its addresses, or 0.0.0.0:2947 for all of them.
      """, valueName: "place"),
    transform: Self.listenPlace)
  var listen: [ListenPlace] = [.address(ListenAddress())]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How fast: a multiple of real time above 0 (1 is real time), or max.", valueName: "max|n"))
  var speed: PlaySpeed = .times(1)

  @Flag(help: "Start over at the end; times continue.")
  var loop = false

  @Flag(help: "Shift all times, so that the first fix has the time at which it is played.")
  var now = false

  @Flag(help: "Send the lines of a recording of gpsd as gpsd sent them.")
  var verbatim = false

  @Option(
    help: ArgumentHelp(
      "A script of faults that happen while the tracks play.", valueName: "script"),
    completion: .file())
  var fault: String?

  @Flag(help: "Start at once instead of when the first client watches.")
  var noWait = false

  @OptionGroup var span: SpanOptions

  @OptionGroup var tables: TableOptions

  func validate() throws {
    try StandardInput.checkGivenOnce(in: files)
    if loop, files.contains("-") {
      throw ValidationError("--loop cannot read standard input (-) again; name a file")
    }
    if verbatim, files.count > 1, files.contains("-") {
      throw ValidationError(
        "--verbatim plays one recording, so standard input (-) must be alone; name no other file")
    }
  }

  func run() throws {
    if verbatim {
      var recording = try openRecording()
      let registry = recording.registry()
      try run(recording, registry)
    } else {
      var playback = try openPlayback()
      let registry = DeviceRegistry(devices: playback.takeNewDevices())
      try run(playback, registry)
    }
  }

  private func run(_ source: some FeedSource, _ registry: DeviceRegistry) throws {
    guard let fault else { return try serve(source, registry) }
    let script: FaultScript
    do {
      script = try FaultScript(path: fault)
    } catch {
      throw ExitStatus.of(error)
    }
    try serve(FaultyFeed(source, script), registry)
  }

  private func serve(_ source: some FeedSource, _ registry: DeviceRegistry) throws {
    var source = source
    let server = try openServer(registry)
    try stopOnSignals(server)
    announce(server)
    do {
      if !noWait { try server.waitForWatcher() }
      if now {
        source.begin = Timestamp(nanoseconds: 0)
          .advanced(bySeconds: Date().timeIntervalSince1970)
      }
      try server.play(&source, pace: speed.pace)
      Self.report(server)
      for remark in source.remarks { Terminal.report("waymark: \(remark)") }
    } catch .stopped {
      // The thread that stopped the server ends the program.
      while true { pause() }
    } catch {
      Self.report(server)
      throw ExitStatus.of(error)
    }
    if source.issues > 0 { throw ExitStatus.badData }
  }

  /// Has the program end on a signal, whatever it waits for: a client, the clock or a pipe.
  private func stopOnSignals(_ server: FeedServer) throws {
    do {
      // From here on only the thread has it, for as long as the program runs.
      nonisolated(unsafe) let signals = try Signals()
      Thread.detachNewThread {
        var poller = Poller()
        let slot = poller.add(signals.descriptor, .read)
        repeat { poller.wait(until: nil) } while !poller.ready(slot).contains(.read)
        server.stop()
        Self.report(server)
        Self.exit()
      }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private func announce(_ server: FeedServer) {
    let devices = server.tally.devices
    // The second address of this machine is the same place.
    let places = zip(server.addresses, server.addresses.map { $0.hasPrefix("unix:") }).enumerated()
      .filter { $0.offset == 0 || listen.count > 1 }.map(\.element)
    if server.isPublic {
      Terminal.report(
        "waymark: anyone who can reach \(places.first?.0 ?? "it") can read the positions")
    }
    let names = places.map { $0.1 ? $0.0 : "gpsd://\($0.0)" }.joined(separator: " and ")
    Terminal.report(
      "waymark: serving \(devices) \(devices == 1 ? "device" : "devices") at \(names)")
  }

  private func openPlayback() throws -> Playback {
    let files = files
    let options = tables.options()
    do {
      let feeds = try TraceFeed.open(files, options: options, remark: Terminal.remark)
      var playback = Playback(feeds) { () throws(TraceError) in
        try TraceFeed.open(files, options: options) { _ in }
      }
      playback.span = TimeSpan(from: span.from, until: span.until)
      playback.loops = loop
      playback.warn = { Terminal.report("waymark: \($0)") }
      try playback.start()
      return playback
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private func openRecording() throws -> VerbatimPlayback {
    do {
      var recording = try VerbatimPlayback(paths: files) { Terminal.report("waymark: \($0)") }
      recording.span = TimeSpan(from: span.from, until: span.until)
      recording.loops = loop
      try recording.start()
      return recording
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private func openServer(_ registry: DeviceRegistry) throws -> FeedServer {
    var limits = FeedLimits()
    limits.isPaced = speed.pace.isLimited
    do {
      return try FeedServer(on: listen, registry: registry, limits: limits) {
        Terminal.report("waymark: \($0)")
      }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private static func report(_ server: FeedServer) {
    for line in server.tally.summary { Terminal.report("waymark: \(line)") }
  }

  @Sendable private static func listenPlace(_ text: String) throws -> ListenPlace {
    guard let place = ListenPlace(text) else {
      throw ValidationError(
        "'\(text)' is not an address: expected HOST:PORT, such as 127.0.0.1:2947 or [::1]:2947, or "
          + "unix:PATH")
    }
    return place
  }
}
