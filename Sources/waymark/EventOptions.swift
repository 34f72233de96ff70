import ArgumentParser
import EventLog

/// Which events are reported, and how.
struct EventOptions: ParsableArguments {
  @Option(help: "How events are written: text, jsonl, csv, or for maps geojson, gpx or kml.")
  var format: EventFormat = .text

  @OptionGroup var selection: KindOptions

  var kinds: Set<LogEntry.Kind> { selection.kinds }

  /// Of a live run, which reports what becomes of its source.
  var liveKinds: Set<LogEntry.Kind> {
    selection.include.isEmpty ? kinds.union([.status]) : kinds
  }
}
