package import EventLog
internal import Geodesy
package import Session
package import Tracking

/// What a report shows: the devices, the fences and the event log of a recording.
///
/// It is filled as a store is, with the entries of a replay in the order of the log.
package final class Report: EntryStore {
  package let kinds = Set(LogEntry.Kind.allCases)
  let rules: Rules
  private(set) var devices: [ReportDevice] = []
  private(set) var entries: [LogEntry] = []
  /// Around all fixes; nil when none has a position.
  private(set) var box: Box?
  private var numbers: [String: Int] = [:]

  /// Makes an empty report of a recording that is played under these rules.
  package init(rules: Rules) { self.rules = rules }

  package func keep(_ entries: [LogEntry]) throws(EntryStoreError) {
    for entry in entries {
      if let fix = entry.fix {
        devices[number(of: entry.device)].add(fix)
        guard fix.coordinate.isValid else { continue }
        if box?.extend(fix.coordinate) == nil { box = Box(fix.coordinate) }
      } else {
        self.entries.append(entry)
      }
    }
  }

  /// The entries that stand: a visit once.
  var standing: [LogEntry] { StandingVisits.standing(of: entries) }

  package func keep(_ fences: FenceSet) throws(EntryStoreError) {}

  private func number(of device: String) -> Int {
    if let known = numbers[device] { return known }
    numbers[device] = devices.count
    devices.append(ReportDevice(name: device, rules: rules))
    return devices.count - 1
  }
}
