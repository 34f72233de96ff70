import ArgumentParser
import EventLog

/// Which events are reported: the same for every command that runs the engine.
struct KindOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      Print only events of this kind; may be given often: enter, exit, dwell, state, visit, \
      significant-change, problem, status for losses of the source, or fix for the fixes \
      themselves. Without it, all but fix and status; watch reports status too.
      """, valueName: "kind"))
  var include: [LogEntry.Kind] = []

  var kinds: Set<LogEntry.Kind> {
    include.isEmpty ? LogEntry.Kind.ofTracks : Set(include)
  }
}
