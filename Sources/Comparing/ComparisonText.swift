internal import Text

/// Writes comparisons and sweeps for people, as text or as Markdown.
package enum ComparisonText {
  // MARK: Text

  /// A line for each difference, the numbers of each group, and the sum.
  package static func lines(_ comparison: Comparison) -> [String] {
    let texts = comparison.differences.map(DifferenceText.init)
    let kind = texts.map(\.kind.count).max() ?? 0
    let fence = texts.map(\.fence.count).max() ?? 0
    let device = texts.map(\.device.count).max() ?? 0
    var lines = texts.map { text in
      var line = "\(text.mark) \(padded(text.kind, kind))  "
      if fence > 0 { line += "\(padded(text.fence, fence))  " }
      line += "\(padded(text.device, device))  \(text.time)"
      return text.shift.isEmpty ? line : line + " (\(text.shift))"
    }
    if comparison.groups.count > 1, !comparison.isSame {
      lines += [""] + TextTable.lines(groupRows(comparison)) + [""]
    }
    return lines + [sum(comparison.total)]
  }

  /// A table with a row for each value.
  package static func lines(_ rows: [SweepRow], key: String) -> [String] {
    TextTable.lines(sweepRows(rows, key: key))
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: width - text.count)
  }

  // MARK: Markdown

  /// A table of the differences, one of the numbers, and the sum.
  package static func markdown(_ comparison: Comparison) -> [String] {
    var lines: [String] = []
    if !comparison.isSame {
      let rows = comparison.differences.map(DifferenceText.init).map {
        [$0.mark, $0.kind, $0.fence, $0.device, $0.time, $0.shift]
      }
      lines += table([["", "event", "fence", "device", "time", "moved"]] + rows, numbersFrom: 6)
      lines += [""] + table(groupRows(comparison), numbersFrom: 1) + [""]
    }
    return lines + ["**\(sum(comparison.total))**"]
  }

  /// A table with a row for each value.
  package static func markdown(_ rows: [SweepRow], key: String) -> [String] {
    table(sweepRows(rows, key: key), numbersFrom: 1)
  }

  /// The rows as a table, of which the first is the head.
  private static func table(_ rows: [[String]], numbersFrom first: Int) -> [String] {
    var lines = rows.map { "| \($0.map(escaped).joined(separator: " | ")) |" }
    let rule = (rows.first ?? []).indices.map { $0 < first ? "---" : "--:" }
    lines.insert("| \(rule.joined(separator: " | ")) |", at: min(1, lines.count))
    return lines
  }

  /// Names may contain what Markdown or HTML would read.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character == "<" { return result += "&lt;" }
      if "\\|`*_[]".contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  // MARK: Numbers

  private static func sum(_ counts: Comparison.Counts) -> String {
    "\(counts.added) added, \(counts.removed) removed, \(counts.moved) moved, \(counts.same) the same"
  }

  private static func groupRows(_ comparison: Comparison) -> [[String]] {
    [["fence", "added", "removed", "moved", "same"]]
      + comparison.groups.map { group, counts in
        [group.name.withoutControls]
          + [counts.added, counts.removed, counts.moved, counts.same].map { "\($0)" }
      }
  }

  private static func sweepRows(_ rows: [SweepRow], key: String) -> [[String]] {
    [[key.withoutControls, "right", "false", "missed", "delay", "delay p95"]]
      + rows.map { row in
        [row.value.withoutControls] + [row.right, row.falses, row.missed].map { "\($0)" }
          + [row.delay, row.longDelay].map { $0.map(Readable.duration) ?? "-" }
      }
  }
}
