internal import EventLog
internal import Text
internal import Tracking

/// Writes the rows of an explanation as a table for people.
package enum ExplanationTable {
  /// The most rows that are shown; around what matters.
  private static let most = 40

  /// The lines of the table; none without rows.
  package static func lines(_ explanation: Explanation) -> [String] {
    let rows = explanation.rows
    guard !rows.isEmpty else { return [] }
    let shown = range(of: explanation)
    let hasFence = explanation.fence != nil
    let cells = [head(hasFence)] + rows[shown].map { Self.cells($0, hasFence) }
    let widths = cells[0].indices.map { column in
      cells.lazy.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    var lines = cells.map { line($0, widths) }
    if shown.lowerBound > 0 { lines.insert("… \(count(shown.lowerBound)) before", at: 1) }
    let rest = rows.count - shown.upperBound
    if rest > 0 { lines.append("… \(count(rest)) after") }
    return lines
  }

  private static func count(_ number: Int) -> String { number == 1 ? "1 fix" : "\(number) fixes" }

  /// The rows around that of the event, or around the nearest that it came to one.
  private static func range(of explanation: Explanation) -> Range<Int> {
    let rows = explanation.rows
    guard rows.count > most else { return rows.indices }
    let moment: Timestamp? =
      switch explanation.reason {
      case .reported(let event, _): event.decided
      case .missing(let shortfall): shortfall.moment
      }
    let middle = moment.flatMap { moment in rows.firstIndex { $0.time == moment } } ?? 0
    let first = min(max(middle - most / 2, 0), rows.count - most)
    return first..<first + most
  }

  private static func head(_ hasFence: Bool) -> [String] {
    ["time", "fix", "claims", "believed", "distance", "rest", "walk", "ride"]
      + (hasFence ? ["P(inside)", "needs"] : []) + [""]
  }

  private static func cells(_ row: ExplanationRow, _ hasFence: Bool) -> [String] {
    var cells = [
      row.time.map { Readable.time($0) } ?? "", row.word, row.accuracy.map(Readable.length) ?? "",
      row.believed.map(Readable.length) ?? "", distance(row), share(row.rest), share(row.walk),
      share(row.ride),
    ]
    if hasFence { cells += [share(row.view?.inside, decimals: 3), needs(row.view)] }
    return cells + [row.kinds.map(\.rawValue).joined(separator: ", ")]
  }

  private static func distance(_ row: ExplanationRow) -> String {
    guard let distance = row.distance else { return "" }
    let text = "\(Readable.number(distance, decimals: 1)) m"
    return row.view.map { "\(text) ± \(Readable.number($0.sigma, decimals: 1))" } ?? text
  }

  private static func share(_ value: Double?, decimals: Int = 2) -> String {
    value.map { Readable.number($0, decimals: decimals) } ?? ""
  }

  /// What the fence's rule needs for a report.
  private static func needs(_ view: FenceView?) -> String {
    guard let view, let needed = view.needed else { return "" }
    let (high, low) = (threshold(needed), threshold(1 - needed))
    let time = view.hold > 0 ? " for \(Readable.duration(view.hold))" : ""
    switch view.side {
    case .outside: return "≥ \(high)\(time)"
    case .inside: return "≤ \(low)\(time)"
    case .unknown: return "≥ \(high) or ≤ \(low)"
    }
  }

  private static func threshold(_ value: Double) -> String {
    var text = Readable.number(value, decimals: 5)
    while text.hasSuffix("0"), text.count > 3 { text.removeLast() }
    return text
  }

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (column, (cell, width)) in zip(cells, widths).enumerated() where width > 0 {
      let blanks = String(repeating: " ", count: width - DisplayWidth.of(cell))
      // Numbers end in one column; words begin in one.
      let isNumber = (2...8).contains(column)
      line += (line.isEmpty ? "" : "  ") + (isNumber ? blanks + cell : cell + blanks)
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}

extension ExplanationRow {
  /// What the gate decided, for people.
  fileprivate var word: String {
    switch verdict {
    case .accepted: "used"
    case .late: "used late"
    case .confirmed: "confirmed"
    case .waits, .dropped: defectText.map { wasWrong ? "dropped: \($0)" : $0 } ?? ""
    }
  }
}

extension Shortfall {
  /// When it came nearest; nil when there is no such time.
  fileprivate var moment: Timestamp? {
    switch self {
    case .far(_, let at), .notBelieved(_, let at), .improbable(_, _, let at),
      .unknownSide(_, _, let at), .noFixBeyond(_, let at), .brief(_, _, _, let at),
      .cushion(_, _, let at):
      at
    case .noFix, .noFixUsed, .already, .notWanted, .briefStay: nil
    }
  }
}
