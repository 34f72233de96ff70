import ArgumentParser
import Scoring
import Session
import System
import Text
import Tracking

struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Compare an event log with known truth and score it.",
    discussion: """
      DIR is what `waymark simulate` wrote. The log holds the events of all its devices, in JSON \
      Lines. Scored are events of fences, visits and significant changes, and the calibration of \
      `confidence`.

        waymark score --truth world --events events.jsonl
        waymark score --truth world --events events.jsonl --split test --by regime
        waymark score --truth world --events events.jsonl --what fences --by why
        waymark score --truth world --events events.jsonl --svg charts
        waymark score --truth world --events events.jsonl --distance 1km

      Tune on `--split train` and trust only the figures of `--split test`. What each figure means, and \
      the rules by which events are matched, is in Docs/Simulation.md. The exit code is 65 when a \
      line cannot be read.
      """)

  @Option(help: ArgumentHelp("Folder with the truth.", valueName: "dir"), completion: .directory)
  var truth: String

  @Option(
    help: ArgumentHelp("Event log in JSON Lines; - for standard input.", valueName: "file"),
    completion: .file())
  var events: String

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      Score only this; may be given often: fences, visits, significant. Without it, fences and \
      what else the log holds.
      """, valueName: "kind"))
  var what: [ScoreKind] = []

  @Option(help: "Which devices: train, test or all.")
  var split: DatasetSplit = .all

  @Option(help: "Group scores by regime (the sampling), profile, or why (fences only).")
  var by: Grouping?

  @Option(
    help: ArgumentHelp(
      "The distance rule of the significant changes in the log, 500 m unless given.",
      valueName: "length"),
    transform: MeasureArgument.length)
  var distance = SignificantChangeRules().distance

  @Option(
    help: ArgumentHelp(
      "The interval rule of the significant changes in the log, 5 min unless given.",
      valueName: "time"),
    transform: MeasureArgument.duration)
  var minInterval = SignificantChangeRules().interval

  @Option(help: "How scores are written: text or json.")
  var format: ScoreFormat = .text

  @Option(
    help: ArgumentHelp("Write calibration.svg and time-error.svg here.", valueName: "dir"),
    completion: .directory)
  var svg: String?

  func validate() throws {
    if by == .why, what.contains(where: { $0 != .fences }) {
      throw ValidationError(
        "found --by why for visits or significant changes, expected --by regime or --by profile: "
          + "only fences have a why")
    }
  }

  func run() throws {
    let truth = try TruthFolder.read(truth, split)
    let events = try readEvents()
    warn(about: events, truth)
    let kinds = kinds(events)
    if kinds.contains(.fences) { warn(aboutFencesOf: events, truth) }
    let sheets = kinds.map { kind in
      switch kind {
      case .fences: FenceScorer.score(truth, events, by: by)
      case .visits: VisitScorer.score(truth, events, by: by)
      case .significant: SignificantScorer.score(truth, events, rules: changeRules, by: by)
      }
    }
    let text = format == .json ? ScoreText.json(sheets) : ScoreText.table(sheets)
    try Terminal.answer(
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    if let svg { try draw(sheets, in: svg) }
  }

  private var changeRules: SignificantChangeRules {
    var rules = SignificantChangeRules()
    rules.distance = distance
    rules.interval = minInterval
    return rules
  }

  private func kinds(_ events: EventList) -> [ScoreKind] {
    if !what.isEmpty { return ScoreKind.allCases.filter(what.contains) }
    if by == .why { return [.fences] }
    let logged = events.kinds.union([.fences])
    return ScoreKind.allCases.filter(logged.contains)
  }

  private func readEvents() throws -> EventList {
    let bytes = try InputFile.read(events)
    do {
      return try EventList(bytes, file: events == "-" ? "standard input" : events)
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// Events of unknown devices are the sign of a log and a truth that do not belong together.
  private func warn(about events: EventList, _ truth: Truth) {
    let (unknown, type) = events.unknownTypes
    if unknown > 0 {
      let lines = SessionTotals.count(unknown, "line")
      let example = type.map { "an unknown type, such as '\($0)'" } ?? "no type"
      Terminal.report(
        "waymark: the log has \(lines) of \(example); left out (scored are enter, exit, visit and "
          + "significant-change)")
    }
    guard split == .all else { return }
    let strangers = events.devices.subtracting(truth.devices.map(\.exactName)).sorted()
    guard let first = strangers.first else { return }
    Terminal.report(
      "waymark: \(strangers.count) devices of the log are not in \(self.truth), such as '\(first.text)'; "
        + "their events are left out (name devices as devices.json does)")
  }

  /// So are events of unknown fences.
  private func warn(aboutFencesOf events: EventList, _ truth: Truth) {
    let (fences, count) = events.unknownFences(in: truth)
    guard let first = fences.first else { return }
    let unknown = SessionTotals.count(fences.count, "fence")
    Terminal.report(
      "waymark: the log has \(unknown) that \(self.truth) does not have, such as '\(first.fence)' of "
        + "'\(first.device.text)'; \(SessionTotals.count(count, "event")) left out (name fences as "
        + "fences/DEVICE.json does)")
  }

  private func draw(_ sheets: [ScoreSheet], in path: String) throws {
    do {
      let folder = try Folder(made: path)
      try folder.write("calibration.svg", Array(ScoreChart.calibration(sheets).utf8))
      try folder.write("time-error.svg", Array(ScoreChart.timeErrors(sheets).utf8))
    } catch {
      throw ExitStatus.of(error)
    }
  }
}

/// How scores are written.
enum ScoreFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

extension ScoreKind: ExpressibleByArgument {}
extension DatasetSplit: ExpressibleByArgument {}
extension Grouping: ExpressibleByArgument {}
