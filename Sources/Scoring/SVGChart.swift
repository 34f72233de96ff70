import Glibc

/// A chart as SVG 1.1 text: axes with labels, lines and dots.
struct SVGChart {
  /// One axis, from the first tick to the last.
  struct Axis {
    let label: String
    let ticks: [(value: Double, label: String)]
    /// Whether equal steps on the axis are equal factors.
    var isLogarithmic = false

    /// 0 at the first tick to 1 at the last.
    func position(of value: Double) -> Double {
      guard let first = ticks.first?.value, let last = ticks.last?.value else { return 0 }
      let share =
        isLogarithmic
        ? log(max(value, first) / first) / log(last / first) : (value - first) / (last - first)
      return min(max(share, 0), 1)
    }
  }

  struct Point {
    let x: Double
    let y: Double
  }

  private static let size = (width: 640.0, height: 420.0)
  private static let margin = (left: 70.0, right: 20.0, top: 40.0, bottom: 60.0)

  private let horizontal: Axis
  private let vertical: Axis
  private var shapes: [String] = []
  private var legend = 0

  init(title: String, horizontal: Axis, vertical: Axis) {
    (self.horizontal, self.vertical) = (horizontal, vertical)
    text(title, x: Self.margin.left, y: 24, anchor: "start")
    for tick in horizontal.ticks {
      let x = position(Point(x: tick.value, y: 0)).x
      line(from: (x, Self.margin.top), to: (x, bottom), colour: "#ddd")
      text(tick.label, x: x, y: bottom + 18, anchor: "middle")
    }
    for tick in vertical.ticks {
      let y = bottom - vertical.position(of: tick.value) * (bottom - Self.margin.top)
      line(from: (Self.margin.left, y), to: (right, y), colour: "#ddd")
      text(tick.label, x: Self.margin.left - 8, y: y + 4, anchor: "end")
    }
    let middle = ((Self.margin.left + right) / 2, (Self.margin.top + bottom) / 2)
    text(horizontal.label, x: middle.0, y: bottom + 44, anchor: "middle")
    text(vertical.label, x: 18, y: middle.1, anchor: "middle", isUpright: true)
  }

  /// Adds a line through points and its name in the legend above the chart; does nothing when there
  /// are no points.
  mutating func add(line points: [Point], colour: String, name: String, isDashed: Bool = false) {
    let path = points.map { point in
      let position = position(point)
      return "\(number(position.x)),\(number(position.y))"
    }.joined(separator: " ")
    let dashes = isDashed ? " stroke-dasharray=\"4 4\"" : ""
    shapes.append(
      "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\"\(dashes)/>"
    )
    guard !name.isEmpty else { return }
    legend += 1
    let x = right - 150 * Double(legend)
    line(from: (x, 20), to: (x + 25, 20), colour: colour)
    text(name, x: x + 32, y: 24, anchor: "start")
  }

  /// Adds a dot with a label above it.
  mutating func add(dot point: Point, colour: String, label: String) {
    let position = position(point)
    shapes.append(
      "<circle cx=\"\(number(position.x))\" cy=\"\(number(position.y))\" r=\"4\" fill=\"\(colour)\"/>"
    )
    text(label, x: position.x, y: position.y - 8, anchor: "middle")
  }

  /// The complete file.
  var file: String {
    let (width, height) = (number(Self.size.width), number(Self.size.height))
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      width="\(width)" height="\(height)" font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      \(shapes.joined(separator: "\n"))
      </svg>\n
      """
  }

  private var bottom: Double { Self.size.height - Self.margin.bottom }
  private var right: Double { Self.size.width - Self.margin.right }

  private func position(_ point: Point) -> (x: Double, y: Double) {
    (
      Self.margin.left + horizontal.position(of: point.x) * (right - Self.margin.left),
      bottom - vertical.position(of: point.y) * (bottom - Self.margin.top)
    )
  }

  private mutating func line(
    from start: (Double, Double), to end: (Double, Double), colour: String
  ) {
    shapes.append(
      "<line x1=\"\(number(start.0))\" y1=\"\(number(start.1))\" x2=\"\(number(end.0))\""
        + " y2=\"\(number(end.1))\" stroke=\"\(colour)\"/>")
  }

  private mutating func text(
    _ text: String, x: Double, y: Double, anchor: String, isUpright: Bool = false
  ) {
    let turn = isUpright ? " transform=\"rotate(-90 \(number(x)) \(number(y)))\"" : ""
    shapes.append(
      "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\"\(turn)>\(text)</text>")
  }

  private func number(_ value: Double) -> String { ScoreText.fixed(value, 1) }
}
