package import EventLog
package import Geodesy
package import MapTiles
package import Session
package import Tracking

/// What a report shows: the devices, the fences and the event log of a recording.
///
/// It is filled as a store is, with the entries of a replay in the order of the log.
package final class Report: EntryStore {
  package let kinds = Set(LogEntry.Kind.allCases)
  let rules: Rules
  let hindsight: Bool
  /// The tiles of the page's map; nil for none.
  package var tiles: PageTiles?
  private(set) var devices: [ReportDevice] = []
  private(set) var entries: [LogEntry] = []
  /// Around all fixes; nil when none has a position.
  private(set) var box: Box?
  private var numbers: [String: Int] = [:]

  /// Makes an empty report of a recording that is played under these rules.
  ///
  /// - Parameter hindsight: Whether each estimate is made with the fixes before and after it.
  package init(rules: Rules, hindsight: Bool) { (self.rules, self.hindsight) = (rules, hindsight) }

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

  /// Ends the recording.
  package func finish() {
    for index in devices.indices { devices[index].finish() }
  }

  /// Where the devices were.
  package var places: some Sequence<Coordinate> {
    devices.lazy.flatMap { $0.fixes.lazy.filter { !$0.isDropped }.map(\.coordinate) }
  }

  /// The entries that stand: a visit once.
  var standing: [LogEntry] { StandingVisits.standing(of: entries) }

  package func keep(_ fences: FenceSet) throws(EntryStoreError) {}

  private func number(of device: String) -> Int {
    if let known = numbers[device] { return known }
    numbers[device] = devices.count
    devices.append(ReportDevice(name: device, rules: rules, hindsight: hindsight))
    return devices.count - 1
  }
}
