internal import Text
import Tracking

/// Filters a log to what stands, for people: a finished visit once, and no visit that was retracted.
///
/// Most visits have two lines in the log, and the second replaces the first (``Visit/revision``). The
/// filter holds the first line until the second comes, so a finished visit takes the place of its
/// second line. Visits that last are left at the end of the log (``takeRest()``).
///
/// Holds at most one entry a device.
package struct StandingVisits: Sendable {
  /// The first lines of visits that last, by device.
  private var open: [ExactText: LogEntry] = [:]

  package init() {}

  /// Takes the next entry of the log and appends to `entries` what stands of it.
  package mutating func take(_ entry: LogEntry, into entries: inout [LogEntry]) {
    guard let visit = entry.event?.statement.visit else { return entries.append(entry) }
    let device = ExactText(entry.device)
    if let first = open[device]?.event?.statement.visit {
      if first.arrival == visit.arrival {
        open[device] = nil
      } else if visit.departure == nil, let first = open.removeValue(forKey: device) {
        // The engine started over, after a clock jump: nothing replaces the first one any more.
        entries.append(first)
      }
    }
    if visit.isRetracted { return }
    if visit.departure == nil { open[device] = entry } else { entries.append(entry) }
  }

  /// Removes and returns the visits that last at the end of the log, in its order.
  package mutating func takeRest() -> [LogEntry] {
    defer { open.removeAll() }
    return open.sorted { a, b in
      let (x, y) = (a.value.decided ?? .distantPast, b.value.decided ?? .distantPast)
      if x != y { return x < y }
      let (t, u) = (a.value.time ?? .distantPast, b.value.time ?? .distantPast)
      return t != u ? t < u : a.key < b.key
    }.map(\.value)
  }
}

extension StandingVisits {
  /// What stands of a whole log.
  package static func standing(of entries: [LogEntry]) -> [LogEntry] {
    var visits = StandingVisits()
    var found: [LogEntry] = []
    for entry in entries { visits.take(entry, into: &found) }
    return found + visits.takeRest()
  }
}
