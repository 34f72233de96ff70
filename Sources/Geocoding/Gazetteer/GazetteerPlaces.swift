internal import Geodesy
internal import Glibc

/// The places of a gazetteer, by cells of a degree.
struct GazetteerPlaces {
  /// The cells with places, ascending, and the index of the first place of each; the last entry ends
  /// the list.
  let cells: GazetteerBytes
  /// Twelve bytes each: Docs/Geocoding.md, "The file".
  let records: GazetteerBytes

  /// One place.
  struct Place {
    let coordinate: Coordinate
    let region: Int
    let zone: Int
    /// The offset of its name in the texts.
    let name: Int
    /// Eight times the binary logarithm of its population and 1.
    let size: Int

    /// Its estimated radius, metres.
    var radius: Double { PlaceSizes.radii[size] }
  }

  var count: Int { records.count / Self.length }

  /// Whether no place is in two cells: then no search takes longer than all places do.
  /// - Complexity: O(cells).
  var isInOrder: Bool {
    let entries = 0..<max(cells.count / 6 - 1, 0)
    return entries.allSatisfy { cells.word(6 * $0 + 2) <= cells.word(6 * $0 + 8) }
      && entries.dropLast().allSatisfy { cells.short(6 * $0) < cells.short(6 * $0 + 6) }
  }

  private static var length: Int { 12 }
  private static var parts: Double { 65_536 }

  /// The index of the first entry whose cell is not before this one.
  private func entry(of cell: Int) -> Int {
    cells.firstIndex(from: 0, to: cells.count / 6) { cells.short(6 * $0) >= cell }
  }

  /// Calls `body` with every place of adjacent cells.
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

  /// A place by its number; the cell gives the whole degrees.
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

  /// The place with the best score for a coordinate, of those in the regions that `isIncluded` accepts:
  /// near ones before far ones, large ones reaching farther; nil if none is within 400 km.
  /// - Complexity: O(places around).
  func best(near place: Coordinate, where isIncluded: (_ region: Int) -> Bool) -> Place? {
    let local = LocalDistance(place)
    var best: Place?
    var least = Double.infinity
    for reach in [25_000.0, 100_000, 400_000] {
      forEachRow(around: place, reach / GazetteerBorders.degree) { cells in
        forEach(inCells: cells) { found in
          guard isIncluded(found.region) else { return }
          let score = PlaceSizes.score(local.distance(to: found.coordinate), found.size)
          if score < least { (best, least) = (found, score) }
        }
      }
      // Nothing farther can be better.
      if least <= PlaceSizes.score(reach, 255) { break }
    }
    return best
  }

  /// The city that a place is a part of: the largest one in the same province with ten times its
  /// population that has it within half its radius.
  func city(around place: Place) -> Place? {
    let local = LocalDistance(place.coordinate)
    let least = place.size + PlaceSizes.tenfold
    var city: Place?
    forEachRow(around: place.coordinate, PlaceSizes.widest / 2 / GazetteerBorders.degree) { cells in
      forEach(inCells: cells) { found in
        guard found.size >= max(least, (city?.size ?? 0) + 1), found.region == place.region,
          local.distance(to: found.coordinate) <= found.radius / 2
        else { return }
        city = found
      }
    }
    return city
  }
}

/// Distances from a position, accurate enough for comparisons.
private struct LocalDistance {
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
    // The cosine of the middle latitude, to first order.
    let middle = max(cosine - sine * north * (.pi / 360), 0)
    let east = Angle.wrapped(other.longitude - place.longitude) * middle
    return (north * north + east * east).squareRoot() * GazetteerBorders.degree
  }
}

/// Radii and scores by the size of a place.
///
/// Our own choice: 3,000 people on a square kilometre make a town's radius r, and the score is
/// `(distance + 500 m) / √(1 + r/km)` (Docs/Geocoding.md). A size is a byte, so all radii are a
/// table.
enum PlaceSizes {
  /// The radius of a disc with 3,000 people per square kilometre, metres.
  static let radii: [Double] = (0...255).map {
    ((exp2(Double($0) / 8) - 1) / (3_000 * .pi)).squareRoot() * 1_000
  }

  /// The radius of the largest city, metres: 38 million people.
  static let widest = 64_000.0
  /// The difference in size of ten times the population.
  static let tenfold = 27

  private static let weights: [Double] = radii.map {
    1 / (1 + min($0, widest) / 1_000).squareRoot()
  }

  /// The score of a place of a size at a distance in metres; less is better.
  static func score(_ distance: Double, _ size: Int) -> Double {
    (distance + 500) * weights[size]
  }
}
