import ArgumentParser
import Geodesy
import Playing
import Session
import Settings
import Traces
import Tracking

struct InfoCommand: ParsableCommand {
  /// How a summary is written.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, jsonl }

  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describe recorded tracks.",
    discussion: """
      Prints format and producer, points, tracks, segments, time span, length, moving time, sampling, \
      gaps, bounding box, what the engine would drop and why, and the problems found. Several files \
      are a table, a row each. Like cat, it waits for the writer of a named pipe.

        waymark info day.gpx
        waymark info day.gpx --places
        waymark info trips/*.gpx.gz
        waymark info trips/*.gpx.gz --format jsonl

      Length and moving time leave out gaps, and the ways between segments and between tracks.

      The exit code is 65 if a file had errors, 66 if there is no such file.
      """)

  @Argument(
    help: ArgumentHelp(
      "Tracks to describe, or folders of them; - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "Use the gate, the CSV columns and the geocoder of this config.", valueName: "file"),
    completion: .file())
  var config: String?

  @OptionGroup var tables: TableOptions

  @Flag(
    help: """
      Name the first and the last position, by the geocoder of the config or else by the gazetteer \
      of the program.
      """)
  var places = false

  @Option(help: "text, or jsonl: one object per file.")
  var format: Format = .text

  func validate() throws {
    try StandardInput.checkGivenOnce(in: files)
  }

  func run() throws {
    let settings = try SessionOptions.configuration(at: config, placesFences: true)
    let lookup = try lookup(settings)
    var failure: (any Error)?
    var table: [TraceSummary] = []
    for path in files {
      do {
        let feeds = try TraceFeed.open(
          [path], options: tables.options(settings), joinsParts: false, remark: Terminal.remark)
        let isAlone = files.count == 1 && feeds.count(where: \.isTrack) == 1
        for feed in feeds {
          var summary = try TraceSummary(of: feed, limits: settings.gate) {
            Terminal.report("waymark: \($0)")
          }
          if summary.issues > 0 { failure = failure ?? ExitStatus.badData }
          guard feed.isTrack else { continue }
          if let lookup { name(&summary, lookup) }
          switch format {
          case .jsonl: try Terminal.answer([summary.json])
          case .text where isAlone: try Terminal.answer(summary.lines)
          case .text:
            for note in summary.notes { Terminal.report("waymark: \(feed.path): \(note)") }
            table.append(summary)
          }
        }
      } catch let error as TraceError {
        // The other files are still described.
        let code = ExitStatus.of(error)
        failure = failure ?? code
      }
    }
    if !table.isEmpty { try Terminal.answer(TraceSummary.table(table)) }
    if let failure { throw failure }
  }

  private func lookup(_ settings: Configuration) throws -> PlaceLookup? {
    guard places else { return nil }
    return config == nil ? try PlaceLookup(gazetteer: nil) : try PlaceLookup(settings)
  }

  /// Names where a trace starts and ends; a missing name is reported.
  private func name(_ summary: inout TraceSummary, _ lookup: PlaceLookup) {
    func name(_ coordinate: Coordinate?, _ end: String) -> String? {
      guard let coordinate else { return nil }
      switch lookup.name(of: coordinate) {
      case .success(let name): return name
      case .failure(let error):
        Terminal.report("waymark: \(summary.path): the \(end) has no name: \(error)")
        return nil
      }
    }
    summary.startPlace = name(summary.start, "start")
    summary.endPlace = name(summary.end, "end")
  }
}
