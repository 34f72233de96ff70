import ArgumentParser
import Playing
import Session
import Traces
import Tracking

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describe recorded tracks.",
    discussion: """
      Prints points, tracks, segments, time span, length, moving time, sampling, gaps, bounding box and \
      the problems found, for each file. Like cat, it waits for the writer of a named pipe.

        waymark info day.gpx
        waymark info trips/*.gpx.gz

      The exit code is 65 if a file had errors, 66 if there is no such file.
      """)

  @Argument(
    help: ArgumentHelp(
      "Tracks to describe, or folders of them; - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @OptionGroup var tables: TableOptions

  func validate() throws {
    try StandardInput.checkGivenOnce(in: files)
  }

  func run() throws {
    var failure: (any Error)?
    var gap: [String] = []
    for path in files {
      do {
        let feeds = try TraceFeed.open(
          [path], options: tables.options(), remark: Terminal.remark)
        for feed in feeds {
          let report = try TraceSummary(of: feed) { Terminal.report("waymark: \($0)") }
          if report.issues > 0 { failure = failure ?? ExitStatus.badData }
          guard feed.isTrack else { continue }
          try Terminal.answer(gap + report.lines)
          gap = [""]
        }
      } catch let error as TraceError {
        // The other files are still described.
        let code = ExitStatus.of(error)
        failure = failure ?? code
      }
    }
    if let failure { throw failure }
  }
}
