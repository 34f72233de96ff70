import Traces

/// Scores as text: a table for people, or JSON.
package enum ScoreText {
  /// A table for each kind: a row a figure, a column a group; then the calibration.
  package static func table(_ sheets: [ScoreSheet]) -> String {
    sheets.map { sheet in
      let groups = sheet.scores.map { $0.group.withoutControls }
      var rows = [[sheet.kind.rawValue] + groups]
      for index in (sheet.scores.first?.figures ?? []).indices {
        let name = sheet.scores.first?.figures[index].name ?? ""
        rows.append([name] + sheet.scores.map { text($0.figures[index].figure) })
      }
      let calibration = Calibration(sheet.claims)
      return aligned(rows) + (calibration.error == nil ? "" : "\n\n" + table(calibration))
    }.joined(separator: "\n\n")
  }

  private static func table(_ calibration: Calibration) -> String {
    var rows = [["confidence", "events", "claimed", "right"]]
    for bin in calibration.bins {
      rows.append([
        "\(fixed(bin.from, 1))-\(fixed(bin.to, 1))", "\(bin.count)",
        bin.claimed.map { fixed($0, 3) } ?? "-", bin.rightShare.map { fixed($0, 3) } ?? "-",
      ])
    }
    rows.append(["calibration_error", "", "", calibration.error.map { fixed($0, 4) } ?? "-"])
    return aligned(rows)
  }

  /// The first column to the left, the others to the right.
  private static func aligned(_ rows: [[String]]) -> String {
    let columns = rows.first?.count ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// One JSON object: by kind, by group, by figure; and `calibration` by kind.
  package static func json(_ sheets: [ScoreSheet]) -> String {
    let scores = sheets.map { sheet in
      let groups = sheet.scores.map { score in
        let figures = score.figures.map { member($0.name, jsonText($0.figure)) }
        return member(score.group, object(figures))
      }
      return member(sheet.kind.rawValue, object(groups))
    }
    let calibrations = sheets.compactMap { sheet in
      let calibration = Calibration(sheet.claims)
      return calibration.error.map { member(sheet.kind.rawValue, json(calibration, error: $0)) }
    }
    return object(scores + [member("calibration", object(calibrations))])
  }

  private static func json(_ calibration: Calibration, error: Double) -> String {
    let bins = calibration.bins.map { bin in
      var members = [
        member("from", fixed(bin.from, 1)), member("to", fixed(bin.to, 1)),
        member("events", "\(bin.count)"),
      ]
      if let claimed = bin.claimed { members.append(member("claimed", fixed(claimed, 4))) }
      if let right = bin.rightShare { members.append(member("right", fixed(right, 4))) }
      return object(members)
    }
    return object([
      member("error", fixed(error, 4)), member("bins", "[\(bins.joined(separator: ","))]"),
    ])
  }

  private static func member(_ name: String, _ value: String) -> String {
    var text: [UInt8] = []
    JSONText.append(name, to: &text)
    return String(decoding: text, as: UTF8.self) + ":" + value
  }

  private static func object(_ members: [String]) -> String {
    "{\(members.joined(separator: ","))}"
  }

  private static func jsonText(_ figure: Figure) -> String {
    figure == .missing ? "null" : text(figure)
  }

  private static func text(_ figure: Figure) -> String {
    switch figure {
    case .count(let count): "\(count)"
    case .number(let number, let decimals): fixed(number, decimals)
    case .missing: "-"
    }
  }

  static func fixed(_ number: Double, _ decimals: Int) -> String {
    var text: [UInt8] = []
    DecimalText.append(number, decimals: decimals, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
