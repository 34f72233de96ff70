import ArgumentParser
import EventLog

/// Which events are reported: the same for every command that runs the engine.
struct KindOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      Print only events of this kind; may be given often: enter, exit, dwell, state, visit, \
      significant-change, problem, or fix for the fixes themselves. Without it, all but fix.
      """, valueName: "kind"))
  var include: [LogEntry.Kind] = []

  var kinds: Set<LogEntry.Kind> {
    include.isEmpty ? Set(LogEntry.Kind.allCases).subtracting([.fix]) : Set(include)
  }
}
