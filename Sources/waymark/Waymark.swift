import ArgumentParser
import CNotice
import Glibc
import Settings
import System

@main
struct Waymark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waymark",
    abstract: "A location engine: fixes go in, events come out.",
    discussion: """
      Plays recorded tracks through fences and prints what happened: when each fence was entered \
      and left, placed and timed between the fixes.

        waymark demo
        waymark replay day.gpx --fence home=52.5163,13.3777,100
        waymark replay day.gpx --config waymark.yaml --format jsonl
        zcat fleet.ndjson.gz | waymark pipe --config waymark.yaml
        waymark watch gpsd://localhost --config waymark.yaml
        waymark anchor set --state watch.state
        waymark record gpsd://localhost -o trip.jsonl
        waymark feed day.gpx
        waymark launch --state here -- ./van
        waymark init
        waymark check waymark.yaml
        waymark doctor
        waymark outbox events.gpkg
        waymark compile fences.geojson -o fences.wmf
        waymark info day.gpx
        waymark convert day.gpx -o day.kml
        waymark report day.gpx -o day.html
        waymark explain day.gpx --config waymark.yaml --event fce5a3e79b1889a7
        waymark test waymark-test.yaml
        waymark compare waymark.yaml fleet.yaml day.gpx
        waymark geocode 52.5163,13.3777
        waymark simulate --out world
        waymark score --truth world --events events.jsonl

      Events go to standard output, everything else to standard error.
      """,
    version: Version.text,
    subcommands: [
      DemoCommand.self, ReplayCommand.self, PipeCommand.self, WatchCommand.self, AnchorCommand.self,
      RecordCommand.self,
      FeedCommand.self, LaunchCommand.self, InitCommand.self, CheckCommand.self,
      DoctorCommand.self, CompileCommand.self,
      OutboxCommand.self, InfoCommand.self, ConvertCommand.self, ReportCommand.self,
      ExplainCommand.self, TestCommand.self, CompareCommand.self, GeocodeCommand.self,
      SimulateCommand.self, ScoreCommand.self,
    ])

  @Flag(help: "Print the licences of the program and of its parts.")
  var licenses = false

  func run() throws {
    guard licenses else { throw CleanExit.helpRequest(self) }
    let text = String(cString: waymark_licenses())
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try Terminal.answer(lines.map(String.init))
  }

  static func main() {
    // A reader that goes away (`waymark … | head -1`) is no error: writing then fails with EPIPE.
    signal(SIGPIPE, SIG_IGN)
    // Nor is a limit of file sizes: writing beyond it fails with EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    // A mapped file that another program truncates is named.
    TruncationReport.install(exitCode: ExitStatus.inputOutput.rawValue)
    // The next file would take the number of a closed standard stream, and messages would go into it.
    // Using what is opened instead fails, as before.
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    guard CommandLine.arguments.count > 1 else {
      for line in firstSteps { Terminal.report(line) }
      Glibc.exit(ExitStatus.usage.rawValue)
    }
    if let mistake = mistake(in: CommandLine.arguments[1]) {
      leave(ValidationError(mistake))
    }
    do {
      var command = try parseAsRoot(CommandLine.arguments.dropFirst().map(Self.shielded))
      try command.run()
    } catch {
      leave(ExitStatus.of(error))
    }
  }

  /// What `waymark` alone prints.
  private static let firstSteps = [
    "waymark needs a command. Three to try:",
    "",
    "  waymark demo      a walk past two fences, and what to look at",
    "  waymark init      five questions, and a commented config",
    "  waymark doctor    what this machine lacks for live events",
    "",
    "'waymark --help' lists all commands, 'waymark replay --help' explains how to play a track.",
  ]

  /// Ends as the parser does, but for words of the command line that would steer the terminal.
  private static func leave(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    if code.isSuccess { exit(withError: error) }
    let message = fullMessage(for: error)
    if !message.isEmpty {
      for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
        Terminal.report(String(line))
      }
    }
    Glibc.exit(code.rawValue)
  }

  /// A place south of the equator looks like options to the parser; a blank before it keeps it whole.
  private static func shielded(_ argument: String) -> String {
    let isPlace =
      argument.hasPrefix("-") && argument.split(separator: ",").count == 2
      && argument.split(separator: ",").allSatisfy { Double($0) != nil }
    return isPlace ? " " + argument : argument
  }

  /// What is wrong when the first word is no command; the parser would only call it unexpected.
  private static func mistake(in first: String) -> String? {
    let commands = configuration.subcommands.compactMap { $0.configuration.commandName }
    let expected = "expected one of: \(commands.joined(separator: ", "))"
    guard !first.hasPrefix("-"), !(commands + ["help"]).contains(first) else { return nil }
    let advice = NearestName.of(first, in: commands).map { "did you mean '\($0)'?" }
    return "unknown command '\(first)'; \(advice ?? expected)"
  }
}
