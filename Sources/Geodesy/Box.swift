internal import Glibc

/// A rectangle in latitude and longitude; its edge belongs to it.
///
/// The longitudes run eastwards from `west` to `east`, over the antimeridian when `west` is
/// greater. All longitudes are −180...180. A pole has every longitude: a box that reaches latitude
/// 90 contains the North Pole.
public struct Box: Sendable, Hashable, Codable {
  /// Lowest latitude, degrees.
  public var south: Double
  /// Longitude of the western edge, degrees.
  public var west: Double
  /// Highest latitude, degrees.
  public var north: Double
  /// Longitude of the eastern edge, degrees.
  public var east: Double

  /// Makes a box from its edges, degrees, unchecked.
  public init(south: Double, west: Double, north: Double, east: Double) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// The box that contains one point.
  public init(_ coordinate: Coordinate) {
    self.init(
      south: coordinate.latitude, west: coordinate.longitude, north: coordinate.latitude,
      east: coordinate.longitude)
  }

  /// The narrowest box that contains all of `coordinates`, nil when there are none.
  ///
  /// A pole among them counts with its latitude only.
  /// - Complexity: O(n log n).
  public init?(enclosing coordinates: [Coordinate]) {
    guard let first = coordinates.first else { return nil }
    self.init(first)
    for coordinate in coordinates {
      south = min(south, coordinate.latitude)
      north = max(north, coordinate.latitude)
    }
    let longitudes = coordinates.filter { abs($0.latitude) < 90 }.map(\.longitude).sorted()
    guard let least = longitudes.first, let greatest = longitudes.last else { return }
    // The box leaves out the widest gap.
    (west, east) = (least, greatest)
    var gap = least + 360 - greatest
    for (a, b) in zip(longitudes, longitudes.dropFirst()) where b - a > gap {
      (west, east, gap) = (b, a, b - a)
    }
  }

  /// The whole Earth.
  public static let world = Box(south: -90, west: -180, north: 90, east: 180)

  /// Whether `coordinate` is in the box or on its edge.
  /// - Complexity: O(1), comparisons only.
  public func contains(_ coordinate: Coordinate) -> Bool {
    guard coordinate.latitude >= south && coordinate.latitude <= north else { return false }
    return holds(longitude: coordinate.longitude) || abs(coordinate.latitude) == 90
  }

  /// Whether both boxes share a point (an edge or a corner is enough).
  /// - Complexity: O(1), comparisons only.
  public func intersects(_ other: Box) -> Bool {
    guard south <= other.north && other.south <= north else { return false }
    return holds(longitude: other.west) || other.holds(longitude: west)
      || (north >= 90 && other.north >= 90) || (south <= -90 && other.south <= -90)
  }

  /// Whether the box reaches the meridian, whatever the latitude.
  func holds(longitude: Double) -> Bool {
    if west <= east {
      return (longitude >= west && longitude <= east)
        || (longitude == -180 && east == 180) || (longitude == 180 && west == -180)
    }
    return longitude >= west || longitude <= east
  }

  /// Degrees of longitude from west to east, 0...360.
  var width: Double { west <= east ? east - west : east + 360 - west }

  /// The narrowest box that contains both.
  public func union(_ other: Box) -> Box {
    var result = self
    result.south = min(south, other.south)
    result.north = max(north, other.north)
    let (least, greatest) = (min(west, other.west), max(east, other.east))
    if west <= east && other.west <= other.east && greatest - least <= 180 {
      (result.west, result.east) = (least, greatest)
      return result
    }
    let east1 = Self.eastwards(from: self, over: other)
    let east2 = Self.eastwards(from: other, over: self)
    if min(east1.width, east2.width) >= 360 {
      (result.west, result.east) = (-180, 180)
    } else if east1.width <= east2.width {
      result.east = east1.edge
    } else {
      (result.west, result.east) = (other.west, east2.edge)
    }
    return result
  }

  /// Widens the box to contain `coordinate`.
  public mutating func extend(_ coordinate: Coordinate) {
    self = union(Box(coordinate))
  }

  /// The eastern edge and the width of the arc from `a`'s western edge that covers both.
  private static func eastwards(from a: Box, over b: Box) -> (edge: Double, width: Double) {
    let offset = b.west >= a.west ? b.west - a.west : b.west + 360 - a.west
    let reach = offset + b.width
    return reach > a.width ? (b.east, reach) : (a.east, a.width)
  }
}
