import Geodesy
import Glibc

/// A simulated town: a grid of streets around a centre, with narrow streets where it is dense.
struct Town: Sendable {
  /// Metres from one street to the next.
  static let block = 120.0
  /// The environment changes from quarter to quarter, this many metres wide.
  private static let quarter = 240.0
  /// Metres around the centre that are dense.
  private static let denseRadius = 1500.0

  /// Metres east and north of the origin.
  let frame: LocalFrame
  let centre: Vector
  private let seed: UInt64

  init(origin: Coordinate, centre: Vector, seed: UInt64) {
    frame = LocalFrame(origin: origin)
    self.centre = centre
    self.seed = seed
  }

  /// The environment of a street at a position: half of the dense quarters are canyons, 8 %
  /// elsewhere.
  func environment(at position: Vector) -> Environment {
    let share = Double(hash(of: position) % 1000) / 1000
    if position.distance(to: centre) < Self.denseRadius { return share < 0.5 ? .canyon : .suburb }
    return share < 0.08 ? .canyon : share < 0.55 ? .suburb : .open
  }

  private func hash(of position: Vector) -> UInt64 {
    let (column, row) = (position.x / Self.quarter, position.y / Self.quarter)
    let key =
      UInt64(bitPattern: Int64(column.rounded(.down))) &* 0x9E37_79B9_7F4A_7C15
      ^ UInt64(bitPattern: Int64(row.rounded(.down)))
    var random = SeededGenerator(seed: seed, purpose: key)
    return random.next()
  }

  /// The nearest position on a street that runs east.
  static func street(at position: Vector) -> Vector {
    Vector(x: position.x, y: snapped(position.y))
  }

  static func snapped(_ metres: Double) -> Double { (metres / block).rounded() * block }

  /// From door to street, along the grid in a staircase, and to the other door.
  static func streetPath(
    from start: Vector, to end: Vector, _ random: inout SeededGenerator
  ) -> [Vector] {
    let (first, last) = (street(at: start), street(at: end))
    var corners = [start, first]
    var corner = Vector(x: snapped(first.x), y: first.y)
    var columns = Int(((snapped(last.x) - corner.x) / block).rounded())
    var rows = Int(((last.y - corner.y) / block).rounded())
    if rows != 0 || abs(last.x - first.x) >= 10 * block {
      corners.append(corner)
      while columns != 0 || rows != 0 {
        let goesEast = columns != 0 && (rows == 0 || random.happens(0.5))
        let blocks = random.whole(1...7)
        if goesEast {
          let step = min(max(columns, -blocks), blocks)
          corner.x += Double(step) * block
          columns -= step
        } else {
          let step = min(max(rows, -blocks), blocks)
          corner.y += Double(step) * block
          rows -= step
        }
        corners.append(corner)
      }
    }
    return corners + [last, end]
  }
}

extension Vector {
  func distance(to other: Vector) -> Double { Vector(x: other.x - x, y: other.y - y).length }

  /// The position `metres` away in a direction, radians from east to north.
  func moved(_ metres: Double, towards angle: Double) -> Vector {
    Vector(x: x + metres * cos(angle), y: y + metres * sin(angle))
  }

  /// The position at a share of the way to another.
  func between(_ other: Vector, _ share: Double) -> Vector {
    Vector(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
  }
}
