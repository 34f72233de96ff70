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
        waymark feed van-*.csv --from 2025-03-10T08:00:00Z --speed max
        zcat day.gpx.gz | waymark feed - --no-wait

      The track starts when the first client watches, so that client misses nothing. With --speed \
      max the slowest client sets the pace. The command ends with the tracks or on SIGINT or SIGTERM.

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
      Where to listen; port 0 chooses a free port. Only this machine can connect, unless you give \
      one of its addresses, or 0.0.0.0:2947 for all of them.
      """, valueName: "host:port"),
    transform: Self.listenAddress)
  var listen = ListenAddress()

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How fast: a multiple of real time above 0 (1 is real time), or max.", valueName: "max|n"))
  var speed: PlaySpeed = .times(1)

  @Flag(help: "Start over at the end; times continue.")
  var loop = false

  @Flag(help: "Shift all times, so that the first fix has the time at which it is played.")
  var now = false

  @Flag(help: "Start at once instead of when the first client watches.")
  var noWait = false

  @OptionGroup var span: SpanOptions

  @OptionGroup var tables: TableOptions

  func validate() throws {
    try StandardInput.checkGivenOnce(in: files)
    if loop, files.contains("-") {
      throw ValidationError("--loop cannot read standard input (-) again; name a file")
    }
  }

  func run() throws {
    var playback = try openPlayback()
    let server = try openServer(&playback)
    try stopOnSignals(server)
    announce(server)
    do {
      if !noWait { try server.waitForWatcher() }
      if now {
        playback.begin = Timestamp(nanoseconds: 0)
          .advanced(bySeconds: Date().timeIntervalSince1970)
      }
      try server.play(&playback, pace: speed.pace)
      Self.report(server)
    } catch .stopped {
      // The thread that stopped the server ends the program.
      while true { pause() }
    } catch {
      Self.report(server)
      throw ExitStatus.of(error)
    }
    if playback.issues > 0 { throw ExitStatus.badData }
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
    let (devices, address) = (server.tally.devices, server.addresses.first ?? "\(listen)")
    if server.isPublic {
      Terminal.report("waymark: anyone who can reach \(address) can read the positions")
    }
    Terminal.report(
      "waymark: serving \(devices) \(devices == 1 ? "device" : "devices") at gpsd://\(address)")
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

  private func openServer(_ playback: inout Playback) throws -> FeedServer {
    var limits = FeedLimits()
    limits.isPaced = speed.pace.isLimited
    do {
      return try FeedServer(on: listen, devices: playback.takeNewDevices(), limits: limits) {
        Terminal.report("waymark: \($0)")
      }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private static func report(_ server: FeedServer) {
    for line in server.tally.summary { Terminal.report("waymark: \(line)") }
  }

  @Sendable private static func listenAddress(_ text: String) throws -> ListenAddress {
    guard let address = ListenAddress(text) else {
      throw ValidationError(
        "'\(text)' is not an address: expected HOST:PORT, such as 127.0.0.1:2947 or [::1]:2947")
    }
    return address
  }
}
