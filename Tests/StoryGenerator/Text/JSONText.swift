import Geodesy
import Simulation
import Tracking

/// Writes fixes as lines of the event log, and fences as GeoJSON.
enum JSONText {
  /// One `fix` event per line.
  static func fixes(_ fixes: [Fix], device: String) -> String {
    fixes.map { line($0, device: device) + "\n" }.joined()
  }

  private static func line(_ fix: Fix, device: String) -> String {
    var text = "{\"type\":\"fix\",\"device\":\"\(device)\""
    if let time = fix.time {
      text += ",\"time\":\"\(time.text(alwaysWithMilliseconds: true))\""
    }
    let numbers: [(String, Double?, Int)] = [
      ("latitude", fix.coordinate.latitude, 7), ("longitude", fix.coordinate.longitude, 7),
      ("accuracy", fix.horizontalAccuracy, 2), ("speed", fix.speed, 2),
      ("course", fix.roundedCourse, 1),
      ("altitude", fix.altitude, 2),
    ]
    for (key, value, decimals) in numbers {
      if let value { text += ",\"\(key)\":\(String(value, decimals: decimals))" }
    }
    return text + "}"
  }

  /// A FeatureCollection (RFC 7946); the longitude comes first.
  static func features(_ fences: [StoryFence]) -> String {
    let features = fences.map(feature).joined(separator: ",\n")
    return "{\"type\":\"FeatureCollection\",\"features\":[\n\(features)\n]}\n"
  }

  private static func feature(_ fence: StoryFence) -> String {
    var properties = "\"id\":\"\(fence.id)\""
    let geometry: String
    switch fence.area {
    case .circle(let center, let radius):
      properties += ",\"radius\":\(String(radius, decimals: 0))"
      geometry = "{\"type\":\"Point\",\"coordinates\":\(position(center))}"
    case .polygons(let polygons):
      let shapes = polygons.map(rings)
      geometry =
        if shapes.count == 1, let only = shapes.first {
          "{\"type\":\"Polygon\",\"coordinates\":\(only)}"
        } else {
          "{\"type\":\"MultiPolygon\",\"coordinates\":[\(shapes.joined(separator: ","))]}"
        }
    }
    return "{\"type\":\"Feature\",\"id\":\"\(fence.id)\",\"properties\":{\(properties)},"
      + "\n \"geometry\":\(geometry)}"
  }

  private static func rings(_ rings: ReferenceArea.Rings) -> String {
    "[" + ([rings.outer] + rings.holes).map(ring).joined(separator: ",") + "]"
  }

  /// A ring ends where it began.
  private static func ring(_ corners: [Coordinate]) -> String {
    "[" + (corners + corners.prefix(1)).map(position).joined(separator: ",") + "]"
  }

  private static func position(_ place: Coordinate) -> String {
    "[\(String(place.longitude, decimals: 6)),\(String(place.latitude, decimals: 6))]"
  }
}
