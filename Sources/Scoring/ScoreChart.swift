/// The charts of scores.
package enum ScoreChart {
  private static let colours = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"]
  private static let shares = [0.0, 0.2, 0.4, 0.6, 0.8, 1].map { share in
    (value: share, label: ScoreText.fixed(share, 1))
  }

  /// The share of correct events against their confidence; the diagonal is perfect.
  package static func calibration(_ sheets: [ScoreSheet]) -> String {
    var chart = SVGChart(
      title: "Calibration",
      horizontal: .init(label: "stated confidence (mean of the bin)", ticks: shares),
      vertical: .init(label: "share of correct events", ticks: shares))
    chart.add(
      line: [.init(x: 0, y: 0), .init(x: 1, y: 1)], colour: "#888", name: "perfect",
      isDashed: true)
    let scored = sheets.filter { !$0.predictions.isEmpty }
    for (sheet, colour) in zip(scored, colours) {
      let bins = Calibration(sheet.predictions).bins.compactMap { bin in
        bin.meanConfidence.flatMap { meanConfidence in
          bin.accuracy.map { (meanConfidence, $0, bin.count) }
        }
      }
      chart.add(
        line: bins.map { .init(x: $0.0, y: $0.1) }, colour: colour, name: sheet.kind.rawValue)
      for (meanConfidence, right, count) in bins {
        chart.add(dot: .init(x: meanConfidence, y: right), colour: colour, label: "\(count)")
      }
    }
    return chart.file
  }

  /// The share of the correct events whose time error is at most a number of seconds.
  package static func timeErrors(_ sheets: [ScoreSheet]) -> String {
    let seconds = [1.0, 3, 10, 30, 60, 120, 300, 600, 1800].map { value in
      (value: value, label: ScoreText.fixed(value, 0))
    }
    var chart = SVGChart(
      title: "Time errors",
      horizontal: .init(
        label: "largest error, seconds (1 and below at the left end)", ticks: seconds,
        isLogarithmic: true),
      vertical: .init(label: "share of the matched events", ticks: shares))
    let curves = sheets.flatMap(\.timeErrors).filter { !$0.seconds.isEmpty }
    for (curve, colour) in zip(curves, colours) {
      let sorted = curve.seconds.sorted()
      // 200 steps are finer than the picture's resolution.
      let points = (1...200).map { step in
        let share = Double(step) / 200
        let index = min(Int((share * Double(sorted.count)).rounded(.up)), sorted.count) - 1
        return SVGChart.Point(x: sorted[max(0, index)], y: share)
      }
      chart.add(line: points, colour: colour, name: "\(curve.name) (\(sorted.count))")
    }
    return chart.file
  }
}
