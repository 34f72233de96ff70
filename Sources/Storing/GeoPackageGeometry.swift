internal import Foundation
internal import Geodesy

/// Geometries of a GeoPackage: a header and well-known binary, little-endian (clause 2.1.3).
struct GeoPackageGeometry {
  private var bytes: [UInt8] = []

  /// The corners of the polygon that stands for a circle: its area is 0.16 % too small.
  private static let corners = 64

  /// A point.
  static func point(_ coordinate: Coordinate) -> Data {
    var geometry = GeoPackageGeometry()
    geometry.header(nil)
    geometry.type(1)
    geometry.add(coordinate)
    return Data(geometry.bytes)
  }

  /// A line through the points; one point is a line of two equal ones.
  static func line(_ points: [Coordinate]) -> Data {
    let points = points.count == 1 ? points + points : points
    var geometry = GeoPackageGeometry()
    geometry.header(nil)
    geometry.type(2)
    geometry.add(UInt32(clamping: points.count))
    for point in points { geometry.add(point) }
    return Data(geometry.bytes)
  }

  /// An area as a multipolygon; a circle is a polygon of 64 corners, each on its edge.
  static func multipolygon(_ area: Area) -> Data {
    let polygons: [[[Coordinate]]] =
      switch area {
      case .circle(let circle): [[ring(circle)]]
      case .polygons(let polygons): polygons.map { [$0.exterior] + $0.holes }
      }
    var geometry = GeoPackageGeometry()
    geometry.header(area.boundingBox)
    geometry.type(6)
    geometry.add(UInt32(clamping: polygons.count))
    for rings in polygons {
      geometry.type(3)
      geometry.add(UInt32(clamping: rings.count))
      for ring in rings {
        geometry.add(UInt32(clamping: ring.count + 1))
        for vertex in ring + ring.prefix(1) { geometry.add(vertex) }
      }
    }
    return Data(geometry.bytes)
  }

  /// The corners of a circle, counter-clockwise; longitudes go on over the antimeridian.
  private static func ring(_ circle: Circle) -> [Coordinate] {
    (0..<corners).map { corner in
      let bearing = 360 - 360 * Double(corner) / Double(corners)
      var vertex = circle.center.destination(bearing: bearing, distance: circle.radius)
      let turn = ((circle.center.longitude - vertex.longitude) / 360).rounded()
      vertex.longitude += 360 * turn
      return vertex
    }
  }

  /// `GP`, version 0, little-endian, with a box if there is one, and WGS 84.
  private mutating func header(_ box: Box?) {
    bytes += [0x47, 0x50, 0, box == nil ? 0b001 : 0b011]
    add(UInt32(4326))
    guard let box else { return }
    for value in [box.west, box.east, box.south, box.north] { add(value) }
  }

  private mutating func type(_ type: UInt32) {
    bytes.append(1)
    add(type)
  }

  private mutating func add(_ coordinate: Coordinate) {
    add(coordinate.longitude)
    add(coordinate.latitude)
  }

  private mutating func add(_ value: Double) { add(value.bitPattern) }

  private mutating func add(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
