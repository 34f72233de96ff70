internal import Session

/// What a conversion read and wrote.
package struct ConversionTotals: Sendable {
  package internal(set) var read = 0
  package internal(set) var written = 0
  package internal(set) var devices: Set<String> = []
  package internal(set) var withoutPosition = 0
  package internal(set) var outside = 0
  /// Fixes that the engine did not use, when its estimates are written.
  package internal(set) var unused = 0
  /// The number of problems in the inputs.
  package private(set) var issues = 0
  private var others = TraceFeed.Others()
  private var unreadColumns: [String] = []

  /// Adds the contents of an input besides its fixes.
  mutating func add(_ feed: TraceFeed) {
    issues += feed.issueCount
    others += feed.others
    guard !feed.unreadColumns.isEmpty else { return }
    let names = feed.unreadColumns.joined(separator: ", ")
    unreadColumns.append("\(feed.path): columns that are not read: \(names)")
  }

  /// The summary, a line each: what was written, and what was not and why.
  package var summary: [String] {
    let devices = SessionTotals.count(devices.count, "device")
    var lines = [
      "\(devices), \(SessionTotals.count(read, "fix", "fixes")), \(written) written"
    ]
    func remark(_ number: Int, _ one: String, _ many: String, _ text: String) {
      if number > 0 { lines.append("\(SessionTotals.count(number, one, many)) \(text)") }
    }
    remark(withoutPosition, "fix", "fixes", "without a position, not written")
    remark(outside, "fix", "fixes", "outside --from and --until, not written")
    remark(unused, "fix", "fixes", "that the engine did not use, not written")
    remark(
      read - withoutPosition - outside - unused - written, "fix", "fixes",
      "left out, close to the simplified line")
    remark(others.routePoints, "route point", "route points", "not written")
    remark(others.waypoints, "waypoint", "waypoints", "not written")
    remark(others.records, "record", "records", "of other kinds not written")
    remark(
      others.repeatedReports, "report", "reports", "of an instant already reported, not written")
    remark(others.otherReceivers, "report", "reports", "of other receivers not written")
    remark(issues, "problem", "problems", "in the input; all that could be read was written")
    return lines + unreadColumns
  }
}
