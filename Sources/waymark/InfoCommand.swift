import ArgumentParser
import Session
import Tracking
import Traces

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what tracks hold.",
    discussion: """
      Points, tracks, segments, time span, length, moving time, sampling, gaps, bounding box and \
      the problems found, for each file.

        waymark info day.gpx
        waymark info trips/*.gpx.gz

      The exit code is 65 when a file had faults.
      """)

  @Argument(help: ArgumentHelp("Tracks to look at; - for standard input.", valueName: "file"))
  var files: [String]

  func validate() throws {
    try StandardInput.checkGivenOnce(in: files)
  }

  func run() throws {
    var hasFaults = false
    for (index, path) in files.enumerated() {
      do {
        let feed = try TraceFeed(path: path)
        let report = try TraceReport(of: feed) { Terminal.say("waymark: \($0)") }
        hasFaults = hasFaults || report.issues > 0
        try Terminal.answer((index > 0 ? "\n" : "") + report.lines.joined(separator: "\n"))
      } catch let error as TraceError {
        throw ExitStatus.of(error)
      }
    }
    if hasFaults { throw ExitStatus.badData }
  }
}
