import ArgumentParser
import EventLog
import Explaining
import Session
import Settings
import System
import Text
import Tracking

struct ExplainCommand: ParsableCommand {
  /// How an explanation is written.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, jsonl }

  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say why an event was reported, or was not.",
    discussion: """
      Plays a recorded track as replay does and shows, fix by fix, what the engine knew: whether the \
      fix was used, its accuracy and that of the estimate, the distance to the fence's edge \
      (negative inside), whether the device rests, walks or rides, the probability of being \
      inside, and what the fence's decision needs. Then it says in one sentence why the event was \
      reported or is missing. For a missing one it tries the other decisions, and other radii.

        waymark explain day.gpx --config waymark.yaml --event fce5a3e79b1889a7
        waymark explain day.gpx --config van.yaml --why-not home --from 2026-05-06
        waymark explain day.gpx --event 8b3fd0a4e97bd09f --format jsonl

      The ids of events are in the JSON Lines of replay and watch. A fix that was dropped is shown \
      with its reason: ask about the time around it.

      The exit code is 65 if no event has the id, or if the track had errors.
      """)

  @Argument(
    help: ArgumentHelp(
      "The track or the folder of tracks to play; - for standard input.", valueName: "track"),
    completion: .file())
  var track: String

  @OptionGroup var session: SessionOptions

  @OptionGroup var tables: TableOptions

  @Option(help: ArgumentHelp("Why this event was reported.", valueName: "id"))
  var event: String?

  @Option(help: ArgumentHelp("Why this fence reported nothing.", valueName: "fence"))
  var whyNot: String?

  @Option(
    help: ArgumentHelp(
      "When it should have: from ten minutes before this time to ten after it.", valueName: "time"),
    transform: TimeArgument.parse)
  var at: Timestamp?

  @Option(
    help: ArgumentHelp(
      "When it should have: not before this time (the start of the track).", valueName: "time"),
    transform: TimeArgument.parse)
  var from: Timestamp?

  @Option(
    help: ArgumentHelp(
      "When it should have: not after this time (the end of the track).", valueName: "time"),
    transform: TimeArgument.parse)
  var until: Timestamp?

  @Option(help: "How the explanation is written: text or jsonl.")
  var format: Format = .text

  func validate() throws {
    switch (event, whyNot) {
    case (nil, nil): throw ValidationError("expected --event ID or --why-not FENCE")
    case (_?, _?): throw ValidationError("--event and --why-not are two questions; ask one")
    case (let id?, nil):
      guard EventID(text: id) != nil else {
        throw ValidationError("'\(id)' is not the id of an event: expected 16 hexadecimal digits")
      }
      guard at == nil, from == nil, until == nil else {
        throw ValidationError("--at, --from and --until are for --why-not; the event has its time")
      }
    case (nil, _?):
      guard (at != nil) != (from != nil || until != nil) else {
        throw ValidationError("--why-not needs a time: --at, or --from, --until or both")
      }
      if let from, let until, from > until { throw ValidationError("--from is later than --until") }
    }
  }

  func run() throws {
    do {
      let settings = try session.configuration()
      let rules = try session.rules(settings)
      let fence = try whyNot.map { try index(of: $0, in: rules.fences) }
      var recording = try Recording(
        TraceFeed.open([track], options: tables.options(settings), remark: Terminal.remark),
        device: session.device ?? settings.device
      ) { Terminal.report("waymark: \($0)") }
      for refusal in recording.refusals { Terminal.report("waymark: \(refusal)") }
      let devices = try chosen(from: recording, settings)
      let explanations =
        if let fence {
          [try missing(fence, devices, rules, &recording)]
        } else {
          try reported(devices, rules, &recording)
        }
      try write(explanations)
      if let failure = recording.failure { throw failure }
      if recording.issues > 0 { throw ExitStatus.badData }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  // MARK: What is asked

  private func index(of id: String, in fences: FenceSet) throws -> Int {
    if let index = fences.index(ofID: id) { return index }
    let ids = fences.indices.lazy.map { fences.id(at: $0) }
    let advice = NearestName.of(id, in: ids).map { "; did you mean '\($0)'?" }
    throw ValidationError("no fence has the id '\(id)'\(advice ?? "")")
  }

  /// The devices that may be asked about: the one of `--device`, if the track names its devices.
  private func chosen(from recording: Recording, _ settings: Configuration) throws -> [Int] {
    guard let wanted = session.device, recording.namesDevices else {
      return Array(recording.names.indices)
    }
    if let device = ExactText.firstIndex(of: wanted, in: recording.names) { return [device] }
    let advice = NearestName.of(wanted, in: recording.names).map { "; did you mean '\($0)'?" }
    throw ValidationError("the track has no device '\(wanted)'\(advice ?? "")")
  }

  private func missing(
    _ fence: Int, _ devices: [Int], _ rules: Rules, _ recording: inout Recording
  ) throws -> Explanation {
    guard let device = devices.first, devices.count == 1 else {
      throw ValidationError(
        devices.isEmpty
          ? "the track has no fix to explain"
          : "the track has \(devices.count) devices; choose one with --device, such as "
            + "'\(recording.names[devices[0]])'")
    }
    let explainer = explainer(of: device, rules, &recording)
    guard let span = explainer.span else { throw ValidationError("no fix of the track has a time") }
    let window = at.map(Explainer.window)
    let first = window?.from ?? from ?? span.lowerBound
    let last = window?.until ?? until ?? span.upperBound
    guard first <= span.upperBound, span.lowerBound <= last else {
      throw ValidationError(Explainer.outside(span))
    }
    return explainer.explainMissing(nil, of: fence, from: first, until: last)
  }

  private func reported(
    _ devices: [Int], _ rules: Rules, _ recording: inout Recording
  ) throws -> [Explanation] {
    guard let event, let id = EventID(text: event) else { return [] }
    for device in devices {
      let found = explainer(of: device, rules, &recording).explain(id: id)
      if !found.isEmpty { return found }
    }
    Terminal.report(
      "waymark: no event has the id '\(event)'; replay with the same track, config and --format jsonl "
        + "prints the ids")
    throw ExitStatus.badData
  }

  private func explainer(of device: Int, _ rules: Rules, _ recording: inout Recording) -> Explainer
  {
    Explainer(
      device: recording.names[device], fixes: recording.takeFixes(of: device), rules: rules)
  }

  // MARK: The answer

  private func write(_ explanations: [Explanation]) throws {
    switch format {
    case .jsonl:
      var bytes: [UInt8] = []
      for explanation in explanations { ExplanationJSON.append(explanation, to: &bytes) }
      try OutputFile.standard.append(bytes)
    case .text:
      let (output, isTerminal) = (OutputFile.standard, OutputFile.standard.isTerminal)
      var lines: [String] = []
      for explanation in explanations {
        if !lines.isEmpty { lines.append("") }
        let table = ExplanationTable.lines(explanation)
        if isTerminal {
          let width = output.terminalSize.width
          lines += (table + ProbabilityChart.lines(explanation)).map {
            String(DisplayWidth.prefix($0, columns: width))
          }
        } else {
          lines += table
        }
        // The sentence is never cut.
        lines.append(explanation.sentence)
      }
      try Terminal.answer(lines)
    }
  }
}
