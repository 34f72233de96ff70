internal import Geodesy
internal import Glibc
internal import MapTiles

/// A place on a picture.
struct Pixel {
  var x: Double
  var y: Double
}

extension Box {
  /// From the western edge to the eastern one, degrees.
  var degreesEast: Double { east < west ? east - west + 360 : east - west }
}

/// A part of the world on a picture: Web Mercator (EPSG:3857), as the page's map has it.
struct MapView {
  let width: Double
  let height: Double
  /// Pixels of the whole world.
  let scale: Double
  /// Pixels left of and above the picture.
  private let left, top: Double
  /// The longitude around which all is shown.
  let center: Double

  /// Fits a box into a picture, with a margin.
  init(_ box: Box, width: Double, height: Double) {
    (self.width, self.height) = (width, height)
    center = box.west + box.degreesEast / 2
    let west = (box.west + 180) / 360
    let (north, south) = (WebMercator.y(box.north), WebMercator.y(box.south))
    let span = max(box.degreesEast / 360 / (width - 80), (south - north) / (height - 80))
    // A single place is shown with some hundred metres around it.
    scale = 1 / max(span, 1e-8)
    left = (west + box.degreesEast / 720) * scale - width / 2
    top = (north + south) / 2 * scale - height / 2
  }

  /// The place of a coordinate on the picture, pixels: of its places in the copies of the world, the one
  /// nearest to the middle.
  func place(_ coordinate: Coordinate) -> Pixel {
    let near = center + Angle.wrapped(coordinate.longitude - center)
    return Pixel(
      x: WebMercator.x(near) * scale - left, y: WebMercator.y(coordinate.latitude) * scale - top)
  }

  /// Whether a place is on the picture or not far from it.
  func isNear(_ place: Pixel) -> Bool {
    (-50...width + 50).contains(place.x) && (-50...height + 50).contains(place.y)
  }

  /// Pixels of a length at a latitude.
  func pixels(_ metres: Double, at latitude: Double) -> Double {
    let shown = min(abs(latitude), WebMercator.largestLatitude)
    return metres * scale / (40_075_016.7 * cos(shown * .pi / 180))
  }

  /// A ring as the picture has it, once for every copy of the world that it reaches.
  ///
  /// From corner to corner it takes the shorter way, over the antimeridian too.
  func outlines(of ring: [Coordinate]) -> [[Pixel]] {
    let points = unrolled(ring)
    guard let west = points.map(\.x).min(), let east = points.map(\.x).max() else { return [] }
    let first = ((-Self.margin - east) / scale).rounded(.up)
    let last = ((width + Self.margin - west) / scale).rounded(.down)
    guard first <= last else { return [] }
    return stride(from: first, through: last, by: 1).map { copy in
      clipped(points.map { Pixel(x: $0.x + copy * scale, y: $0.y) })
    }.filter { $0.count > 2 }
  }

  /// The corners of a ring without a jump; one around a pole is closed along the edge of the map there.
  private func unrolled(_ ring: [Coordinate]) -> [Pixel] {
    guard let first = ring.first else { return [] }
    var longitude = first.longitude
    var points = ring.map { corner in
      longitude += Angle.wrapped(corner.longitude - longitude)
      return Pixel(
        x: WebMercator.x(longitude) * scale - left,
        y: WebMercator.y(corner.latitude) * scale - top)
    }
    let end = longitude + Angle.wrapped(first.longitude - longitude)
    guard abs(end - first.longitude) > 180 else { return points }
    let isNorth = ring.reduce(0) { $0 + $1.latitude } > 0
    let edge = WebMercator.y(isNorth ? 90 : -90) * scale - top
    let closed = Pixel(x: WebMercator.x(end) * scale - left, y: points[0].y)
    points += [closed, Pixel(x: closed.x, y: edge), Pixel(x: points[0].x, y: edge)]
    return points
  }

  /// How far beyond the picture rings are drawn, pixels.
  private static let margin = 20.0

  /// The part of a ring around the picture (Sutherland and Hodgman, 1974).
  private func clipped(_ ring: [Pixel]) -> [Pixel] {
    let edges: [(Pixel) -> Double] = [
      { $0.x + Self.margin }, { width + Self.margin - $0.x },
      { $0.y + Self.margin }, { height + Self.margin - $0.y },
    ]
    return edges.reduce(ring) { ring, distance in
      var kept: [Pixel] = []
      for (index, point) in ring.enumerated() {
        let before = ring[(index + ring.count - 1) % ring.count]
        let (a, b) = (distance(before), distance(point))
        if (a >= 0) != (b >= 0) {
          let share = a / (a - b)
          kept.append(
            Pixel(
              x: before.x + share * (point.x - before.x),
              y: before.y + share * (point.y - before.y)))
        }
        if b >= 0 { kept.append(point) }
      }
      return kept
    }
  }
}
