package import Geodesy
internal import Glibc

/// The projection of web maps and their tiles (EPSG:3857).
///
/// The world is a square of 1; its origin is the north-western corner.
package enum WebMercator {
  /// The square ends here, degrees; what lies beyond is on its edge.
  package static let largestLatitude = 85.0511288

  /// The place of a longitude, 0 to 1 for −180 to 180 degrees.
  package static func x(_ longitude: Double) -> Double { longitude / 360 + 0.5 }

  /// The place of a latitude, 0 in the north to 1 in the south.
  package static func y(_ latitude: Double) -> Double {
    let sine = sin(max(-largestLatitude, min(largestLatitude, latitude)) * .pi / 180)
    return 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
  }
}

/// A square of the map: at zoom 0 one tile is the world, and each zoom divides a tile into four.
package struct Tile: Sendable, Hashable {
  package let zoom: Int
  /// The column, from the antimeridian to the east.
  package let x: Int
  /// The row, from the north.
  package let y: Int

  package init(zoom: Int, x: Int, y: Int) {
    (self.zoom, self.x, self.y) = (zoom, x, y)
  }

  /// The tile with a coordinate; one beyond the map is in the row at its edge.
  package init(zoom: Int, around coordinate: Coordinate) {
    let count = 1 << zoom
    func place(_ share: Double) -> Int { min(max(Int(share * Double(count)), 0), count - 1) }
    self.init(
      zoom: zoom, x: place(WebMercator.x(coordinate.longitude)),
      y: place(WebMercator.y(coordinate.latitude)))
  }

  /// The tile of the zoom above that contains this one.
  var parent: Tile { Tile(zoom: zoom - 1, x: x >> 1, y: y >> 1) }

  /// This tile and those that touch it, over the antimeridian too.
  var neighbourhood: [Tile] {
    let count = 1 << zoom
    return (max(y - 1, 0)...min(y + 1, count - 1)).flatMap { row in
      (x - 1...x + 1).map { Tile(zoom: zoom, x: ($0 + count) % count, y: row) }
    }
  }
}
