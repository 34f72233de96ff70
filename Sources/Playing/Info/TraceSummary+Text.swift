internal import Geodesy
internal import Session
internal import Text
internal import Traces
internal import Tracking

extension TraceSummary {
  /// The summary, one fact a line.
  package var lines: [String] {
    let facts = contents + times + places + remarks
    return [path] + facts.map { "  " + $0.name.padded(to: 13) + $0.value }
  }

  private typealias Fact = (name: String, value: String)

  private var contents: [Fact] {
    var facts: [Fact] = []
    if let format { facts.append(("format", format)) }
    if let producer { facts.append(("producer", producer)) }
    facts.append(("points", "\(statistics.points)"))
    if others.tracks > 0 {
      facts.append(
        ("tracks", "\(others.tracks), \(SessionTotals.count(others.segments, "segment"))"))
    }
    if others.routePoints + others.waypoints > 0 {
      let points = SessionTotals.count(others.routePoints, "route point")
      facts.append(("planned", "\(points), \(SessionTotals.count(others.waypoints, "waypoint"))"))
    }
    if others.reportedVisits > 0 { facts.append(("visits", "\(others.reportedVisits) reported")) }
    if others.records > 0 { facts.append(("other records", "\(others.records)")) }
    if others.repeatedReports > 0 {
      let reports = SessionTotals.count(others.repeatedReports, "report")
      facts.append(("repeated", "\(reports) of an instant already reported"))
    }
    if others.otherReceivers > 0 {
      let reports = SessionTotals.count(others.otherReceivers, "report")
      facts.append(("skipped", "\(reports) of other receivers"))
    }
    if others.simulatedFixes > 0 {
      let positions = SessionTotals.count(others.simulatedFixes, "simulated position")
      facts.append(("refused", "\(positions); --allow-simulated uses them"))
    }
    if !solutions.isEmpty {
      let kinds = solutions.map { "\($0.count) \($0.kind.readable)" }
      facts.append(("solutions", kinds.joined(separator: ", ")))
    }
    if statistics.points > 0 { facts.append(("devices", devices)) }
    return facts
  }

  /// How receivers found positions, and how many, but plain solutions.
  var solutions: [(kind: SolutionKind, count: Int)] {
    SolutionKind.allCases.compactMap { kind in
      statistics.solutions[kind].map { (kind, $0) }
    }
  }

  private var times: [Fact] {
    guard let first = statistics.first, let last = statistics.last, let span else { return [] }
    return [
      ("time", "\(Readable.time(first.time)) to \(Readable.time(last.time))"),
      ("span", Readable.duration(span)), ("moving", Readable.duration(steps.movingTime)),
      ("length", Readable.length(steps.length)), ("sampling", sampling),
    ]
  }

  private var places: [Fact] {
    var facts: [Fact] = []
    if let startPlace { facts.append(("start", startPlace)) }
    if let endPlace { facts.append(("end", endPlace)) }
    if let box = statistics.box { facts.append(("box", box.described)) }
    if statistics.points > 0 { facts.append(("known", known)) }
    return facts
  }

  private var remarks: [Fact] {
    var facts: [Fact] = notes.map { ("note", $0) }
    var remarks = Remarks()
    remarks.add(counts)
    facts += remarks.lines.map { ("gate", $0) }
    for (defect, count) in drops {
      let place = isBinary ? "at byte" : "on line"
      let origin = statistics.firstDefects[defect].map { " (first \(place) \($0))" } ?? ""
      facts.append(("problem", "\(count) dropped: \(defect.explanation)\(origin)"))
    }
    if issues > 0 {
      let shown = issues > TraceFeed.reportedIssues ? "the first \(TraceFeed.reportedIssues) " : ""
      let errors = SessionTotals.count(issues, "error")
      facts.append(("problem", "\(errors) in the file, \(shown)reported on standard error"))
    }
    return facts
  }

  private var devices: String {
    let names = sortedDevices
    let shown = names.prefix(10).joined(separator: ", ")
    return names.count > 10 ? "\(names.count): \(shown), …" : shown
  }

  private var sampling: String {
    let interval = statistics.medianInterval.map {
      "a fix every \(Readable.duration(Double($0))) (median), "
    }
    var text = "\(interval ?? "")\(SessionTotals.count(steps.gaps, "gap"))"
    if let limit = steps.gapLimit { text += " over \(Readable.duration(limit))" }
    if steps.gaps > 0 { text += ", the longest \(Readable.duration(steps.longestGap))" }
    return text
  }

  private var known: String {
    func share(_ count: Int) -> Int { 100 * count / max(statistics.points, 1) }
    return "accuracy \(share(statistics.withAccuracy)) %, speed \(share(statistics.withSpeed)) %, "
      + "altitude \(share(statistics.withAltitude)) %"
  }
}

extension TraceSummary {
  /// A table of several traces, a row each.
  package static func table(_ summaries: [TraceSummary]) -> [String] {
    let hasPlaces = summaries.contains { $0.startPlace != nil }
    let head =
      ["file", "format", "points", "dropped", "errors", "devices", "start", "span", "moving"]
      + ["length", "gaps"] + (hasPlaces ? ["from", "to"] : [])
    return TextTable.lines([head] + summaries.map { $0.row(hasPlaces: hasPlaces) })
  }

  private func row(hasPlaces: Bool) -> [String] {
    var row = [
      path.withoutControls, format ?? "-", "\(statistics.points)", "\(counts.dropped)",
      "\(issues)", "\(statistics.devices.count)",
    ]
    if let first = statistics.first, let span {
      row += [
        Readable.time(first.time), Readable.duration(span), Readable.duration(steps.movingTime),
        Readable.length(steps.length), "\(steps.gaps)",
      ]
    } else {
      row += ["-", "-", "-", "-", "-"]
    }
    return hasPlaces ? row + [startPlace ?? "-", endPlace ?? "-"] : row
  }
}

extension Box {
  fileprivate var described: String {
    func degrees(_ value: Double) -> String { Readable.number(value, decimals: 5) }
    return "\(degrees(south)) to \(degrees(north)) north, \(degrees(west)) to \(degrees(east)) east"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    count < width ? self + String(repeating: " ", count: width - count) : self + " "
  }
}
