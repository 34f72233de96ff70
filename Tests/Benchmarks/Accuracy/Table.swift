/// Prints rows with aligned columns.
struct Table {
  private let widths: [Int]

  /// Prints the title and the heads of the columns.
  init(_ title: String, _ heads: [(name: String, width: Int)]) {
    print("\n" + title)
    widths = heads.map { max($0.width, $0.name.count) }
    row(heads.map(\.name))
  }

  /// Prints a row: the first column to the left, the others to the right.
  func row(_ cells: [String]) {
    var line = ""
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      let space = String(repeating: " ", count: max(0, width - cell.count))
      line += index == 0 ? cell + space : "  " + space + cell
    }
    print(line)
  }
}

extension Double {
  /// As text with so many decimals.
  func text(_ decimals: Int = 1) -> String {
    guard isFinite else { return "-" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let whole = (magnitude * scale).rounded()
    let sign = self < 0 && whole > 0 ? "-" : ""
    let units = (whole / scale).rounded(.down)
    let integer = String(Int(units))
    guard decimals > 0 else { return sign + integer }
    let fraction = String(Int(whole - units * scale))
    return sign + integer + "." + String(repeating: "0", count: decimals - fraction.count)
      + fraction
  }
}
