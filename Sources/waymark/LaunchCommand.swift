import ArgumentParser
import GPSD
import Receivers
import Services
import Session
import Settings
import System

struct LaunchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "launch",
    abstract: "Launch a program when an event that it requested happens.",
    discussion: """
      A program that uses the CoreLocation module and keeps its state in a folder (WAYMARK_STATE) \
      is launched, when it is not running, for the regions, visits, significant changes and monitored \
      conditions that it requested. Its environment has WAYMARK_LAUNCHED=location, and its events \
      wait in the folder. Start it once by hand, so it can make its requests. It needs the \
      permission always.

        waymark launch --state here -- ./van
        waymark launch gpsd://boat.local --state /var/lib/van -- /usr/bin/van --quiet
        waymark launch day.gpx --speed 60 --state here -- ./van

      Fixes come from gpsd, or from a recorded track at the pace of --speed. While the program runs, \
      this command evaluates nothing; afterwards the engine continues from the state that it left. \
      A program that fails without taking its events is not launched for the next 1, 2, 4, … 64 \
      events (back-off). SIGINT and SIGTERM are passed on to it as SIGTERM.

      The exit code is 66 if there is no such program, 69 if it cannot be started or gpsd is \
      unavailable and --no-reconnect is given.
      """)

  @Argument(
    help: ArgumentHelp(
      """
      The source of fixes: gpsd://HOST[:PORT][/DEVICE] or a recorded track. Without it, the source \
      of the config, or gpsd://localhost:2947.
      """, valueName: "gpsd://…|file"), completion: .file(),
    transform: { text in
      text.hasPrefix("gpsd:") ? .gpsd(try GPSDArgument.parse(text)) : .track(text)
    })
  var source: Source?

  /// The source of fixes, as the user names it.
  enum Source {
    case gpsd(GPSDAddress)
    case track(String)
  }

  @Option(
    help: ArgumentHelp("The program's state folder.", valueName: "folder"), completion: .directory)
  var state: String

  @Option(
    help: ArgumentHelp(
      "Settings, YAML or JSON; only visits, significant changes and the source are used.",
      valueName: "file"), completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The device of the track whose fixes the program gets; by default the first.",
      valueName: "id"))
  var device: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How fast a track is played: max, or a multiple of real time above 0 (1 is real time).",
      valueName: "max|n"))
  var speed: PlaySpeed = .times(1)

  @Flag(name: .customLong("no-reconnect"), help: "End when gpsd is unavailable.")
  var isOnce = false

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The program to launch and its arguments, after --.", valueName: "program"),
    completion: .file())
  var command: [String] = []

  func validate() throws {
    if command.isEmpty {
      throw ValidationError("the program is missing; expected it at the end, after --: -- ./van")
    }
    if state.isEmpty { throw ValidationError("--state is empty; expected a folder") }
    try FileUse.checkFile("--state", state, for: "state", in: "folder", suchAs: "here")
  }

  func run() throws {
    let settings = try SessionOptions.configuration(at: config, placesFences: true)
    do {
      var options = Launcher.Options(
        source: try origin(settings), folder: state, program: command[0])
      options.arguments = Array(command.dropFirst())
      options.device = device
      if config != nil {
        (options.visits, options.significantChanges) = (
          settings.visits, settings.significantChanges
        )
      }
      let launcher = try Launcher(options) { Terminal.report("waymark: \($0)") }
      let end = try launcher.run()
      Terminal.report("waymark: \(Self.summary(launcher.counts))")
      if case .unavailable(let reason) = end {
        Terminal.report("waymark: gpsd is unavailable: \(reason)")
        throw ExitStatus.unavailable
      }
      if launcher.counts.issues > 0 { throw ExitStatus.badData }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private func origin(_ settings: Configuration) throws -> Launcher.Source {
    var options = LinkOptions()
    options.reconnects = !isOnce
    switch source {
    case .gpsd(let address): return .gpsd(address, options)
    case .track(let path): return .trace(try TraceFeed(path: path), speed.pace)
    case nil:
      guard settings.sources.count < 2 else {
        throw ValidationError(
          "the config has \(settings.sources.count) sources, and launch follows one; name it on the "
            + "command line")
      }
      guard settings.inlets.isEmpty else {
        throw ValidationError(
          "the config has sources of phones, and launch follows a gpsd; name one on the command line"
        )
      }
      return .gpsd(settings.sources.first?.address ?? .local, options)
    }
  }

  private static func summary(_ counts: Launcher.Counts) -> String {
    func count(_ number: Int, _ one: String, _ many: String) -> String {
      "\(number) \(number == 1 ? one : many)"
    }
    var parts = [
      count(counts.fixes, "fix", "fixes"), count(counts.launches, "launch", "launches"),
    ]
    if counts.failures > 0 { parts.append("\(counts.failures) failed") }
    if counts.skipped > 0 {
      parts.append(count(counts.skipped, "event", "events") + " skipped after failures")
    }
    return parts.joined(separator: ", ")
  }
}
