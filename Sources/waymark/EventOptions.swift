import ArgumentParser
import EventLog

/// Which events are reported, and how.
struct EventOptions: ParsableArguments {
  @Option(help: "How events are written: text, jsonl, csv, or for maps geojson, gpx or kml.")
  var format: EventFormat = .text

  @OptionGroup var selection: KindOptions

  var kinds: Set<LogEntry.Kind> { selection.kinds }
}

/// The same for a live run.
struct LiveEventOptions: ParsableArguments {
  @Option(help: "How events are written: text, jsonl or csv.")
  var format = LiveFormat(value: .text)

  @OptionGroup var selection: KindOptions

  /// A live run reports what becomes of its source too.
  var kinds: Set<LogEntry.Kind> {
    selection.include.isEmpty ? selection.kinds.union([.status]) : selection.kinds
  }

  func validate() throws {
    guard format.value.isMap else { return }
    throw ValidationError(
      "found --format \(format.value.rawValue), expected text, jsonl or csv: a map is complete "
        + "only at its end, which watch does not know; convert --events makes one")
  }
}

/// A format of events, of which those for maps are not offered: they are refused with what to do instead.
struct LiveFormat: ExpressibleByArgument {
  let value: EventFormat

  init(value: EventFormat) { self.value = value }

  init?(argument: String) {
    guard let value = EventFormat(rawValue: argument) else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { value.rawValue }

  static var allValueStrings: [String] {
    EventFormat.allCases.filter { !$0.isMap }.map(\.rawValue)
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
