internal import EventLog
internal import Geodesy
internal import Tracking

/// Fences as columns: a row for each, in the order of their set.
///
/// A circle has its centre and its radius, polygons have a geometry; the others are unknown.
struct FenceColumns {
  private var id = TableColumn("id", .text)
  private var latitude = TableColumn("latitude", .number)
  private var longitude = TableColumn("longitude", .number)
  private var radius = TableColumn("radius", .number)
  private var geometry = TableColumn("geometry", .text)

  var all: [TableColumn] { [id, latitude, longitude, radius, geometry] }

  /// - Complexity: O(fences and vertices).
  init(_ fences: FenceSet) {
    for fence in fences { append(fence) }
  }

  private mutating func append(_ fence: Fence) {
    id.append(fence.id)
    switch fence.area {
    case .circle(let circle):
      latitude.append(circle.center.latitude)
      longitude.append(circle.center.longitude)
      radius.append(circle.radius)
      geometry.fill(to: id.count)
    case .polygons(let polygons):
      latitude.fill(to: id.count)
      longitude.fill(to: id.count)
      radius.fill(to: id.count)
      geometry.append(Self.text(of: polygons))
    }
  }

  /// Polygons as well-known text (ISO 19125-1), longitude first; every number with all of its digits.
  private static func text(of polygons: [Polygon]) -> String {
    let texts = polygons.map { polygon in
      "(" + ([polygon.exterior] + polygon.holes).map(ring).joined(separator: ", ") + ")"
    }
    guard texts.count != 1 else { return "POLYGON \(texts[0])" }
    return "MULTIPOLYGON (\(texts.joined(separator: ", ")))"
  }

  /// A ring, which ends where it began.
  private static func ring(_ vertices: [Coordinate]) -> String {
    let closed = vertices + vertices.prefix(1)
    return "(" + closed.map { "\($0.longitude) \($0.latitude)" }.joined(separator: ", ") + ")"
  }
}
