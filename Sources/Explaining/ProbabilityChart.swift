internal import Text
internal import Tracking

/// Draws P(inside) over the time of the rows, in braille.
package enum ProbabilityChart {
  /// Characters of the plot: each has two dots by four.
  private static let (width, height) = (60, 4)

  /// The lines of the chart; none when there are fewer than two moments to draw.
  package static func lines(_ explanation: Explanation) -> [String] {
    let points = explanation.rows.compactMap { row in
      row.view.flatMap { view in row.time.map { (time: $0, inside: view.inside) } }
    }.sorted { $0.time < $1.time }
    guard let first = points.first, let last = points.last, first.time < last.time else {
      return []
    }
    let (columns, rows) = (2 * width, 4 * height)
    let span = last.time.seconds(since: first.time)
    var dots: Set<Int> = []
    var before: (column: Int, row: Int)?
    for point in points {
      let share = point.time.seconds(since: first.time) / span
      let column = Int((share * Double(columns - 1)).rounded())
      let row = Int(((1 - min(max(point.inside, 0), 1)) * Double(rows - 1)).rounded())
      let start = before ?? (column, row)
      let steps = max(abs(column - start.column), abs(row - start.row), 1)
      for step in 0...steps {
        let x = start.column + (column - start.column) * step / steps
        dots.insert((start.row + (row - start.row) * step / steps) * columns + x)
      }
      before = (column, row)
    }
    var lines = (0..<height).map { line in
      let label = line == 0 ? "1 " : line == height - 1 ? "0 " : "  "
      return label + (0..<width).map { cell(line, $0, columns, dots) }.joined()
    }
    let (start, end) = (Readable.timeOfDay(first.time), Readable.timeOfDay(last.time))
    lines.append(
      "  " + start + String(repeating: " ", count: width - start.count - end.count) + end)
    return ["P(inside)"] + lines
  }

  /// The dots of a character: the left column is the bits 0, 1, 2, 6, the right one 3, 4, 5, 7.
  private static func cell(_ line: Int, _ place: Int, _ columns: Int, _ dots: Set<Int>) -> String {
    let bits = [[0, 3], [1, 4], [2, 5], [6, 7]]
    var pattern: UInt32 = 0
    for row in 0..<4 {
      for column in 0..<2 where dots.contains((4 * line + row) * columns + 2 * place + column) {
        pattern |= 1 << bits[row][column]
      }
    }
    return Unicode.Scalar(0x2800 + pattern).map { String(Character($0)) } ?? ""
  }
}
