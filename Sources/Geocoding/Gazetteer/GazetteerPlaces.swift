internal import Geodesy
internal import Glibc

/// The places of a gazetteer, by cells of a degree.
struct GazetteerPlaces {
  /// The cells that have places, ascending, and where theirs begin; the last one is behind all.
  let cells: GazetteerBytes
  let records: GazetteerBytes

  /// One of them, by its number.
  struct Place {
    let coordinate: Coordinate
    let region: Int
    let zone: Int
    /// Where its name is among the texts.
    let name: Int
    /// Eight times the binary logarithm of its population and 1.
    let size: Int

    /// About how far from its middle it reaches, metres.
    var radius: Double { PlaceSizes.radii[size] }
  }

  var count: Int { records.count / Self.length }

  private static var length: Int { 12 }
  private static var parts: Double { 65_536 }

  /// The number of the first entry of a cell that is not before this one.
  private func entry(of cell: Int) -> Int {
    cells.firstIndex(from: 0, to: cells.count / 6) { cells.short(6 * $0) >= cell }
  }

  /// Calls `body` with every place of some neighbouring cells.
  @inline(__always)
  private func forEach(inCells cellRange: Range<Int>, _ body: (Place) -> Void) {
    var entry = entry(of: cellRange.lowerBound)
    while entry < cells.count / 6 - 1, cells.short(6 * entry) < cellRange.upperBound {
      let cell = cells.short(6 * entry)
      for number in range(cells.word(6 * entry + 2), cells.word(6 * entry + 8)) {
        body(place(number, in: cell))
      }
      entry += 1
    }
  }

  /// Calls `body` with every place and its number.
  func forEach(_ body: (Int, Place) -> Void) {
    for entry in 0..<max(cells.count / 6 - 1, 0) {
      let cell = cells.short(6 * entry)
      for number in range(cells.word(6 * entry + 2), cells.word(6 * entry + 8)) {
        body(number, place(number, in: cell))
      }
    }
  }

  private func range(_ first: Int, _ end: Int) -> Range<Int> {
    let end = min(end, count)
    return min(first, end)..<end
  }

  @inline(__always)
  private func place(_ number: Int, in cell: Int) -> Place {
    let offset = number * Self.length
    let (row, column) = cell.quotientAndRemainder(dividingBy: 360)
    let text = records.word(offset + 8)
    return Place(
      coordinate: Coordinate(
        latitude: min(
          Double(row) + (Double(records.short(offset + 2)) + 0.5) / Self.parts - 90, 90),
        longitude: Double(column) + (Double(records.short(offset)) + 0.5) / Self.parts - 180),
      region: records.short(offset + 4), zone: records.short(offset + 6), name: text & 0xff_ffff,
      size: text >> 24)
  }

  /// The place that a coordinate belongs to most, of those that `isMeant` says by their regions: near
  /// ones before far ones, and the larger its size the farther a place reaches; nil when there is none
  /// within 400 km.
  /// - Complexity: O(places around).
  func best(near place: Coordinate, where isMeant: (_ region: Int) -> Bool) -> Place? {
    let ruler = Ruler(place)
    var best: Place?
    var least = Double.infinity
    for reach in [25_000.0, 100_000, 400_000] {
      forEachRow(around: place, reach / GazetteerBorders.degree) { cells in
        forEach(inCells: cells) { found in
          guard isMeant(found.region) else { return }
          let score = PlaceSizes.score(ruler.distance(to: found.coordinate), found.size)
          if score < least { (best, least) = (found, score) }
        }
      }
      // Nothing that is farther can be better.
      if least <= PlaceSizes.score(reach, 255) { break }
    }
    return best
  }

  /// The city that a place is taken for a part of: the largest one in the same province with ten times
  /// its population, within half of whose radius it lies.
  func city(around place: Place) -> Place? {
    let ruler = Ruler(place.coordinate)
    let least = place.size + PlaceSizes.tenfold
    var city: Place?
    forEachRow(around: place.coordinate, PlaceSizes.widest / 2 / GazetteerBorders.degree) { cells in
      forEach(inCells: cells) { found in
        guard found.size >= max(least, (city?.size ?? 0) + 1), found.region == place.region,
          ruler.distance(to: found.coordinate) <= found.radius / 2
        else { return }
        city = found
      }
    }
    return city
  }
}

/// Measures distances from a place, well enough to choose by.
private struct Ruler {
  private let place: Coordinate
  private let sine, cosine: Double

  init(_ place: Coordinate) {
    self.place = place
    (sine, cosine) = (sin(place.latitude * .pi / 180), cos(place.latitude * .pi / 180))
  }

  /// Metres.
  @inline(__always)
  func distance(to other: Coordinate) -> Double {
    let north = other.latitude - place.latitude
    // The cosine of the latitude half-way, to first order.
    let middle = max(cosine - sine * north * (.pi / 360), 0)
    let east = Angle.wrapped(other.longitude - place.longitude) * middle
    return (north * north + east * east).squareRoot() * GazetteerBorders.degree
  }
}

/// What the size of a place says of how far it reaches.
enum PlaceSizes {
  /// The radius of a disc in which 3,000 people live on each square kilometre, metres.
  static let radii: [Double] = (0...255).map {
    ((exp2(Double($0) / 8) - 1) / (3_000 * .pi)).squareRoot() * 1_000
  }

  /// No city is wider, metres: 38 million people live in the largest.
  static let widest = 64_000.0
  /// How much larger the size of ten times the population is.
  static let tenfold = 27

  private static let weights: [Double] = radii.map {
    1 / (1 + min($0, widest) / 1_000).squareRoot()
  }

  /// The less, the more a place at this distance, in metres, belongs to one of that size.
  static func score(_ distance: Double, _ size: Int) -> Double {
    (distance + 500) * weights[size]
  }
}
