internal import EventLog
internal import Text
internal import Tracking

extension SessionTotals {
  /// The summary of a run: what was played, what was dropped and why, and what came of it.
  package var summary: [String] {
    let events = standingEvents
    var lines = [
      played, "\(Self.count(events.values.reduce(0, +), "event"))\(Self.kinds(events))",
    ]
    for defect in Defect.allCases where gate[defect] > 0 {
      var line = "dropped \(Self.count(gate[defect], "fix", "fixes")): \(defect.explanation)"
      if let origin = firstDefects[defect] { line += " (first at \(origin))" }
      lines.append(line)
    }
    lines += remarks
    lines += notes
    return lines
  }

  /// Adds what only all fixes together show.
  ///
  /// - Parameter table: The path of a table that names no device; nil for none.
  package mutating func conclude(table: String?) {
    // A table of several devices without their column gives many positions at one time.
    if let table, gate[.sameTime] * 10 > gate.received * 3 {
      notes.append(
        "\(table): many fixes have the time of the fix before and another place; are they of "
          + "several devices? --columns device=COLUMN names the column that says which")
    }
    // Nothing of the input can be used.
    if gate.received > 0, gate[.invalid] == gate.received { issues += 1 }
  }

  private var played: String {
    // Live there are no files.
    var line = files == 0 ? "" : Self.count(files, "file") + ", "
    line += Self.count(devices, "device") + ", "
    line += "\(Self.count(gate.received, "fix", "fixes")), \(gate.accepted) used"
    if let span {
      line += ", \(Readable.time(span.lowerBound)) to \(Readable.time(span.upperBound))"
    }
    return line
  }

  /// Events that stand: a visit counts once, and not when it was taken back.
  private var standingEvents: [LogEntry.Kind: Int] {
    guard let lines = events[.visit] else { return events }
    var standing = events
    // A run that resumes from a state may have the second line of a visit alone.
    let visits = max(0, lines - replacedVisits)
    standing[.visit] = visits > 0 ? visits : nil
    return standing
  }

  private static func kinds(_ events: [LogEntry.Kind: Int]) -> String {
    let parts = LogEntry.Kind.allCases.compactMap { kind in
      events[kind].map { "\($0) \(kind.rawValue)" }
    }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }

  /// Whatever else a user should know of, when there is any.
  private var remarks: [String] {
    var remarks = Remarks()
    remarks.add(gate)
    remarks.add(outsideSpan, "fix", "fixes", "outside --from and --until, not played")
    remarks.add(duplicates: duplicates)
    remarks.add(others, issues: issues, use: "played", left: "skipped")
    var lines = remarks.lines
    if gate.received > 0, gate[.timeless] == gate.received {
      lines.append("no fix has a time, so nothing could happen: is this a planned route?")
    }
    return lines
  }

  /// `1 fix`, `2 fixes`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }
}

extension Defect {
  /// The rule by which such a fix was dropped, in words.
  package var explanation: String {
    switch self {
    case .timeless: "no time"
    case .withoutPosition: "the receiver had no position"
    case .invalid: "coordinates that are not on Earth"
    case .duplicate: "same time and place as the fix before"
    case .sameTime: "same time as the fix before"
    case .outOfOrder: "earlier than a fix already used"
    case .teleport: "a position jump that the next fix did not confirm"
    case .clockJump: "a clock jump that the next fix did not confirm"
    case .coarse: "far less accurate than the fixes shortly before"
    }
  }
}
