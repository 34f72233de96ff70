import Text

/// Scores as text: a table for people, or JSON.
package enum ScoreText {
  /// A table for each kind: a row per metric, a column per group; then the calibration.
  package static func table(_ sheets: [ScoreSheet]) -> String {
    sheets.map { sheet in
      let groups = sheet.scores.map { $0.group.withoutControls }
      var rows = [[sheet.kind.rawValue] + groups]
      for index in (sheet.scores.first?.metrics ?? []).indices {
        let name = sheet.scores.first?.metrics[index].name ?? ""
        rows.append([name] + sheet.scores.map { text($0.metrics[index].metric) })
      }
      let calibration = Calibration(sheet.predictions)
      return TextTable.lines(rows).joined(separator: "\n")
        + (calibration.error == nil ? "" : "\n\n" + table(calibration))
    }.joined(separator: "\n\n")
  }

  private static func table(_ calibration: Calibration) -> String {
    var rows = [["confidence", "events", "claimed", "right"]]
    for bin in calibration.bins {
      rows.append([
        "\(fixed(bin.from, 1))-\(fixed(bin.to, 1))", "\(bin.count)",
        bin.meanConfidence.map { fixed($0, 3) } ?? "-", bin.accuracy.map { fixed($0, 3) } ?? "-",
      ])
    }
    rows.append(["calibration_error", "", "", calibration.error.map { fixed($0, 4) } ?? "-"])
    return TextTable.lines(rows).joined(separator: "\n")
  }

  /// One JSON object: by kind, by group, by metric; and `calibration` by kind.
  package static func json(_ sheets: [ScoreSheet]) -> String {
    let scores = sheets.map { sheet in
      let groups = sheet.scores.map { score in
        let metrics = score.metrics.map { member($0.name, jsonText($0.metric)) }
        return member(score.group, object(metrics))
      }
      return member(sheet.kind.rawValue, object(groups))
    }
    let calibrations = sheets.compactMap { sheet in
      let calibration = Calibration(sheet.predictions)
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
      if let meanConfidence = bin.meanConfidence {
        members.append(member("claimed", fixed(meanConfidence, 4)))
      }
      if let right = bin.accuracy { members.append(member("right", fixed(right, 4))) }
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

  private static func jsonText(_ metric: Metric) -> String {
    metric == .missing ? "null" : text(metric)
  }

  private static func text(_ metric: Metric) -> String {
    switch metric {
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
