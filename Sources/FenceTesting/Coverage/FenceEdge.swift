internal import Geodesy

/// An edge of a polygon, from one corner to the next; a circle has one edge.
struct FenceEdge: Hashable {
  var polygon = 0
  /// 0 for the outer ring, then the holes.
  var ring = 0
  var corner = 0

  /// Such as `corner [2]`, counted as in the config.
  var words: String {
    let part = polygon == 0 ? "" : " of polygon [\(polygon)]"
    return "[\(corner)]" + (ring == 0 ? "" : " of hole [\(ring - 1)]") + part
  }

  static func all(of area: Area) -> [FenceEdge] {
    guard case .polygons(let polygons) = area else { return [FenceEdge()] }
    return polygons.enumerated().flatMap { polygon, shape in
      ([shape.exterior] + shape.holes).enumerated().flatMap { ring, corners in
        corners.indices.map { FenceEdge(polygon: polygon, ring: ring, corner: $0) }
      }
    }
  }

  static func nearest(to coordinate: Coordinate, of area: Area) -> FenceEdge {
    guard case .polygons(let polygons) = area else { return FenceEdge() }
    let frame = LocalFrame(origin: coordinate)
    let edges = all(of: area).map { edge in
      let polygon = polygons[edge.polygon]
      let ring = edge.ring == 0 ? polygon.exterior : polygon.holes[edge.ring - 1]
      let (start, end) = (ring[edge.corner], ring[(edge.corner + 1) % ring.count])
      return (edge: edge, distance: frame.originDistance(from: start, end))
    }
    return edges.min { $0.distance < $1.distance }?.edge ?? FenceEdge()
  }
}

extension LocalFrame {
  /// Metres from the origin to a straight edge.
  fileprivate func originDistance(from start: Coordinate, _ end: Coordinate) -> Double {
    let (a, b) = (vector(to: start), vector(to: end))
    let way = Vector(x: b.x - a.x, y: b.y - a.y)
    let length = way.x * way.x + way.y * way.y
    let share = length > 0 ? min(max(-(a.x * way.x + a.y * way.y) / length, 0), 1) : 0
    let (x, y) = (a.x + share * way.x, a.y + share * way.y)
    return (x * x + y * y).squareRoot()
  }
}
