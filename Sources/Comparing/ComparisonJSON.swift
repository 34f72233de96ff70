internal import EventLog
internal import Geodesy
internal import Text
internal import Tracking

/// Writes comparisons and sweeps as JSON Lines.
package enum ComparisonJSON {
  /// An object for each difference, one for each group, and the total.
  package static func bytes(_ comparison: Comparison) -> [UInt8] {
    let lines =
      comparison.differences.map(line)
      + comparison.groups.map { line("group", $0.group, $0.counts) }
      + [line("total", nil, comparison.total)]
    return lines.flatMap { $0 }
  }

  /// An object for each value.
  package static func bytes(_ rows: [SweepRow], key: String) -> [UInt8] {
    rows.flatMap { row in
      line { json in
        json.text("key", key)
        json.text("value", row.value)
        json.number("right", row.right)
        json.number("false", row.falses)
        json.number("missed", row.missed)
        json.number("delay", ifKnown: row.delay, decimals: 3)
        json.number("delay95", ifKnown: row.longDelay, decimals: 3)
      }
    }
  }

  private static func line(_ difference: Comparison.Difference) -> [UInt8] {
    line { json in
      let (word, old, new) = parts(of: difference.change)
      json.text("change", word)
      json.text("device", difference.subject.device)
      json.text("type", difference.subject.kind.rawValue)
      if let fence = difference.subject.fence { json.text("fence", fence) }
      if let state = difference.subject.state { json.text("state", state) }
      if let old { json.object("old") { append(old, to: &$0) } }
      if let new { json.object("new") { append(new, to: &$0) } }
      guard let old, let new else { return }
      json.number("seconds", new.time.seconds(since: old.time), decimals: 3)
      json.number("metres", ifKnown: old.distance(to: new), decimals: 2)
      if let first = old.departure, let second = new.departure {
        json.number("departureSeconds", second.seconds(since: first), decimals: 3)
      }
      if let first = old.decided, let second = new.decided {
        json.number("decidedSeconds", second.seconds(since: first), decimals: 3)
      }
    }
  }

  private static func parts(
    of change: Comparison.Difference.Change
  ) -> (word: String, old: ComparedEvent?, new: ComparedEvent?) {
    switch change {
    case .removed(let event): ("removed", event, nil)
    case .added(let event): ("added", nil, event)
    case .moved(let old, let new): ("moved", old, new)
    }
  }

  private static func append(_ event: ComparedEvent, to json: inout JSONBuilder) {
    if let id = event.id { json.text("id", id.description) }
    json.time("time", event.time)
    if let decided = event.decided { json.time("decided", decided) }
    if let coordinate = event.coordinate {
      json.number("latitude", coordinate.latitude, decimals: 7)
      json.number("longitude", coordinate.longitude, decimals: 7)
    }
    if let departure = event.departure { json.time("departure", departure) }
  }

  private static func line(
    _ word: String, _ group: EventGroup?, _ counts: Comparison.Counts
  ) -> [UInt8] {
    line { json in
      json.text("change", word)
      switch group {
      case .fence(let id): json.text("fence", id)
      case .visits: json.text("type", LogEntry.Kind.visit.rawValue)
      case .significantChanges: json.text("type", LogEntry.Kind.significantChange.rawValue)
      case .statuses: json.text("type", LogEntry.Kind.status.rawValue)
      case nil: break
      }
      json.number("added", counts.added)
      json.number("removed", counts.removed)
      json.number("moved", counts.moved)
      json.number("same", counts.same)
    }
  }

  private static func line(_ body: (inout JSONBuilder) -> Void) -> [UInt8] {
    var json = JSONBuilder()
    json.object(body)
    return json.bytes + [UInt8(ascii: "\n")]
  }
}
