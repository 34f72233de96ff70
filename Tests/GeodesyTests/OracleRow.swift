import Foundation

@testable import Geodesy

/// One geodesic as GeographicLib solved it.
struct OracleRow: CustomStringConvertible {
  let kind: String
  let start: Coordinate
  let end: Coordinate
  /// Degrees, −180...180.
  let bearing1, bearing2: Double
  /// Metres.
  let distance: Double
  let description: String

  init?(_ line: Substring) {
    let cells = line.split(separator: " ")
    let numbers = cells.dropFirst().compactMap { Double($0) }
    guard cells.count == 8, numbers.count == 7 else { return nil }
    kind = String(cells[0])
    start = Coordinate(latitude: numbers[0], longitude: numbers[1])
    end = Coordinate(latitude: numbers[2], longitude: numbers[3])
    bearing1 = numbers[4]
    bearing2 = numbers[5]
    distance = numbers[6]
    description = String(line)
  }

  /// The whole committed table.
  static func all() throws -> [OracleRow] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/geodsolve.txt")
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap(OracleRow.init)
  }
}

/// The smaller angle between two directions, degrees.
func angle(_ a: Double, _ b: Double) -> Double {
  abs((a - b).remainder(dividingBy: 360))
}
