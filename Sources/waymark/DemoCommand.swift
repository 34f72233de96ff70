import ArgumentParser
import Playing
import Session
import Settings
import System
import Tracking

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Play a built-in track, and say what to look at.",
    discussion: """
      Mara walks from home to a bakery and back, past two fences. The track is simulated, so the true \
      times are known. It needs no file and no receiver.

        waymark demo
        waymark demo --format jsonl
        waymark demo --save walk
      """)

  @OptionGroup var events: EventOptions

  @OptionGroup var text: LayoutOptions

  @Option(
    help: ArgumentHelp(
      "Also write the track and its config to this folder, to go on with.", valueName: "folder"),
    completion: .directory)
  var save: String?

  func run() throws {
    do {
      let saved = try save.map { folder throws(OutputError) in try DemoStory.save(to: folder) }
      Self.report(Self.story)
      let settings = try DemoStory.configuration()
      let rules = try settings.rules()
      var replay = Replay(
        feeds: [TraceFeed(path: "the demo", fixes: DemoStory.fixes)], rules: rules,
        device: settings.device, kinds: events.kinds,
        output: EventLogFile(
          file: .standard, format: events.format, fences: rules.fences, isOrdered: true,
          layout: text.layout(settings, toFile: false)))
      let totals = try replay.run()
      Self.report(totals.summary + Self.whatToLookAt + Self.next(saved))
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private static func report(_ lines: [String]) {
    for line in lines { Terminal.report("waymark: \(line)") }
  }

  private static let story = [
    "Mara starts at home, walks to a bakery and comes back; a simulated receiver recorded it"
  ]

  private static let whatToLookAt = [
    "what to look at:",
    "  exit and enter: the time of each crossing, between two fixes, with its uncertainty;",
    "  in truth Mara left home at 06:43:58.0 and came to the bakery at 06:50:59.4 (UTC)",
    "  visit: her stays, with arrival and departure, though the config says nothing of them",
    "  %: how probable each row is; receiver noise at an edge gives no burst of rows",
  ]

  /// What to do next, with the files that were written.
  private static func next(_ saved: [String]?) -> [String] {
    guard let saved else {
      return ["next: waymark demo --save walk    writes the track and its config to a folder"]
    }
    let story = "\(saved[0]) --config \(saved[1])"
    return [
      "next: waymark replay \(story)",
      "      waymark report \(story) -o walk.html",
    ]
  }
}
