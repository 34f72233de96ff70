import ArgumentParser
import Tracking

/// Which part of recorded tracks is played.
struct SpanOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Leave out fixes before this time: 2025-03-10T08:00:00Z, or a date, which is its midnight.",
      valueName: "time"),
    transform: TimeArgument.parse)
  var from: Timestamp?

  @Option(
    help: ArgumentHelp("Leave out fixes after this time.", valueName: "time"),
    transform: TimeArgument.parse)
  var until: Timestamp?

  /// A span that ends before it begins holds no fix.
  func validate() throws {
    guard let from, let until, from > until else { return }
    throw ValidationError("--from is later than --until; no fix would be played")
  }
}
