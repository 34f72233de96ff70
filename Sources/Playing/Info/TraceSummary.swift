internal import Geodesy
package import Session
internal import Text
package import Traces
internal import Tracking

/// The summary of a trace that `waymark info` prints.
package struct TraceSummary {
  /// Errors found in the trace.
  package private(set) var issues = 0
  private let path: String
  private var statistics = TraceStatistics()
  private var others = TraceFeed.Others()
  private var notes: [String] = []

  /// Reads a trace to its end; `warn` gets a message for each of the first errors.
  package init(of feed: TraceFeed, warn: (String) -> Void) throws(TraceError) {
    path = feed.path
    var names = DeviceNames(given: nil)
    var ownName: String?
    while true {
      let point = try feed.peek()
      for issue in feed.takeIssues() { warn(issue.described(in: path)) }
      guard let point else { break }
      feed.take()
      if let device = point.device {
        statistics.add(point.fix, device: feed.devices[Int(device)])
      } else {
        let name = ownName ?? names.name(of: feed)
        ownName = name
        statistics.add(point.fix, device: name)
      }
    }
    others = feed.others
    notes = feed.notes
    issues = feed.issueCount
  }

  /// The summary, one fact a line.
  package var lines: [String] {
    var lines = [path]
    func line(_ name: String, _ value: String) {
      lines.append("  " + name.padded(to: 13) + value)
    }
    line("points", "\(statistics.points)")
    if others.tracks > 0 {
      line("tracks", "\(others.tracks), \(SessionTotals.count(others.segments, "segment"))")
    }
    if others.routePoints + others.waypoints > 0 {
      let points = SessionTotals.count(others.routePoints, "route point")
      line("planned", "\(points), \(SessionTotals.count(others.waypoints, "waypoint"))")
    }
    if others.reportedVisits > 0 { line("visits", "\(others.reportedVisits) reported") }
    if others.records > 0 { line("other records", "\(others.records)") }
    if others.repeatedReports > 0 {
      line(
        "repeated",
        "\(SessionTotals.count(others.repeatedReports, "report")) of an instant already reported")
    }
    if others.otherReceivers > 0 {
      line(
        "skipped", "\(SessionTotals.count(others.otherReceivers, "report")) of other receivers")
    }
    if statistics.points > 0 { line("devices", devices) }
    if let first = statistics.first, let last = statistics.last {
      line("time", "\(Readable.time(first)) to \(Readable.time(last))")
      line("span", Readable.duration(last.seconds(since: first)))
      line("moving", Readable.duration(statistics.movingTime))
      line("length", Readable.length(statistics.length))
      line("sampling", sampling)
    }
    if let box = statistics.box { line("box", box.described) }
    if statistics.points > 0 { line("known", known) }
    for note in notes { line("note", note) }
    for problem in problems { line("problem", problem) }
    return lines
  }

  private var devices: String {
    let names = statistics.devices.sorted()
    let shown = names.prefix(10).joined(separator: ", ")
    return names.count > 10 ? "\(names.count): \(shown), …" : shown
  }

  private var sampling: String {
    var text = statistics.medianInterval.map { "a fix every \($0) s (median)" } ?? "seldom"
    text +=
      ", \(SessionTotals.count(statistics.gaps, "gap")) over \(Readable.duration(TraceStatistics.gapLength))"
    if statistics.gaps > 0 { text += ", the longest \(Readable.duration(statistics.longestGap))" }
    return text
  }

  private var known: String {
    func share(_ count: Int) -> Int { 100 * count / max(statistics.points, 1) }
    return "accuracy \(share(statistics.withAccuracy)) %, speed \(share(statistics.withSpeed)) %, "
      + "altitude \(share(statistics.withAltitude)) %"
  }

  private var problems: [String] {
    let counts = statistics.counts
    var lines = Defect.allCases.compactMap { defect -> String? in
      counts[defect] > 0 ? "\(counts[defect]) dropped: \(defect.explanation)" : nil
    }
    if issues > 0 {
      let shown = issues > TraceFeed.reportedIssues ? "the first \(TraceFeed.reportedIssues) " : ""
      lines.append(
        "\(SessionTotals.count(issues, "error")) in the file, \(shown)reported on standard error")
    }
    return lines
  }
}

extension Box {
  fileprivate var described: String {
    func degrees(_ value: Double) -> String {
      var bytes: [UInt8] = []
      DecimalText.append(value, decimals: 5, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    return "\(degrees(south)) to \(degrees(north)) north, \(degrees(west)) to \(degrees(east)) east"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    count < width ? self + String(repeating: " ", count: width - count) : self + " "
  }
}
