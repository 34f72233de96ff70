package import EventLog
internal import Explaining
package import Geodesy
package import MapTiles
package import Session
internal import Text
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
  /// What explains the newest events.
  private var windows: [ReasonWindow] = []
  /// The events of all windows.
  private var explained = 0
  /// Around all fixes; nil when none has a position.
  private(set) var box: Box?
  private var numbers: [ExactText: Int] = [:]

  /// Makes an empty report of a recording that is played under these rules.
  ///
  /// - Parameter hindsight: Whether each estimate is made with the fixes before and after it.
  package init(rules: Rules, hindsight: Bool) { (self.rules, self.hindsight) = (rules, hindsight) }

  package func keep(_ entries: [LogEntry]) throws(EntryStoreError) {
    for entry in entries {
      if let fix = entry.fix {
        if let window = devices[number(of: entry.device)].add(fix) { keep(window) }
        guard fix.coordinate.isValid else { continue }
        if box?.extend(fix.coordinate) == nil { box = Box(fix.coordinate) }
      } else {
        self.entries.append(entry)
      }
    }
  }

  /// Ends the recording.
  ///
  /// - Parameter starts: The fixes with which segments begin, to which no way is counted.
  package func finish(_ starts: [SegmentStarts.Start] = []) {
    let places = starts.map { start in
      ReportFix(Fix(time: start.time, coordinate: start.coordinate), at: start.time).place
    }
    let known = Set(places)
    for index in devices.indices { devices[index].finish(known) }
  }

  /// Where the devices were.
  package var places: some Sequence<Coordinate> {
    devices.lazy.flatMap { $0.fixes.lazy.filter { !$0.isDropped }.map(\.coordinate) }
  }

  /// The entries that stand: a visit once.
  var standing: [LogEntry] { StandingVisits.standing(of: entries) }

  /// Why the newest events were reported.
  var reasons: [Explanation] {
    (windows + devices.compactMap(\.window)).flatMap(\.reasons)
  }

  private func keep(_ window: ReasonWindow) {
    windows.append(window)
    explained += window.eventCount
    while let oldest = windows.first, explained - oldest.eventCount >= Self.mostReasons {
      explained -= oldest.eventCount
      windows.removeFirst()
    }
  }

  /// The least number of events that are explained, if there are as many: each takes some 300 bytes of the
  /// page, half a millisecond, and up to 30 kB of memory until then.
  private static let mostReasons = 2_000

  package func keep(_ fences: FenceSet) throws(EntryStoreError) {}

  private func number(of device: String) -> Int {
    let name = ExactText(device)
    if let known = numbers[name] { return known }
    numbers[name] = devices.count
    devices.append(ReportDevice(name: device, rules: rules, hindsight: hindsight))
    return devices.count - 1
  }
}
