internal import Geodesy
internal import MapTiles
internal import Glibc

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
  /// Pixels of the whole world, and those left of and above the picture.
  private let scale, left, top: Double
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

  /// The place of a coordinate on the picture, pixels.
  func place(_ latitude: Double, _ longitude: Double) -> Pixel {
    let near = center + Angle.wrapped(longitude - center)
    return Pixel(
      x: (near + 180) / 360 * scale - left, y: WebMercator.y(latitude) * scale - top)
  }

  func place(_ coordinate: Coordinate) -> Pixel {
    place(coordinate.latitude, coordinate.longitude)
  }

  /// Whether a place is on the picture or not far from it.
  func isNear(_ place: Pixel) -> Bool {
    (-50...width + 50).contains(place.x) && (-50...height + 50).contains(place.y)
  }

  /// Pixels of a length at a latitude.
  func pixels(_ metres: Double, at latitude: Double) -> Double {
    metres * scale / (40_075_016.7 * max(cos(latitude * .pi / 180), 0.01))
  }

  /// The part of a ring around the picture (Sutherland and Hodgman, 1974).
  func clipped(_ ring: [Pixel]) -> [Pixel] {
    let edges: [(Pixel) -> Double] = [
      { $0.x + 20 }, { width + 20 - $0.x }, { $0.y + 20 }, { height + 20 - $0.y },
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
