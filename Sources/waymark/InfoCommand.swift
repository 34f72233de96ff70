import ArgumentParser
import Playing
import Session
import Traces
import Tracking

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what tracks hold.",
    discussion: """
      Points, tracks, segments, time span, length, moving time, sampling, gaps, bounding box and \
      the problems found, for each file.

        waymark info day.gpx
        waymark info trips/*.gpx.gz

      The exit code is 65 when a file had faults, 66 when there is no such file.
      """)

  @Argument(
    help: ArgumentHelp("Tracks to look at; - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  func validate() throws {
    try StandardInput.checkGivenOnce(in: files)
  }

  func run() throws {
    var failure: (any Error)?
    var gap: [String] = []
    for path in files {
      do {
        let feed = try TraceFeed(path: path)
        let report = try TraceSummary(of: feed) { Terminal.say("waymark: \($0)") }
        if report.issues > 0 { failure = failure ?? ExitStatus.badData }
        try Terminal.answer(gap + report.lines)
        gap = [""]
      } catch let error as TraceError {
        // The other files are looked at all the same.
        let code = ExitStatus.of(error)
        failure = failure ?? code
      }
    }
    if let failure { throw failure }
  }
}
