import Geodesy
import Simulation

/// A fence as a story's config has it.
struct StoryFence {
  var id: String
  /// The comment in the config.
  var comment: String
  var area: ReferenceArea
  /// Seconds, nil for no dwell.
  var dwell: Double?
  /// Further lines of the config, such as `initial: none`.
  var options: [String] = []

  /// The fence for the computation of the truth.
  var reference: ReferenceFence { ReferenceFence(id: id, area: area, dwell: dwell) }

  static func circle(
    _ id: String, _ center: Coordinate, _ radius: Double, _ comment: String,
    dwell: Double? = nil, options: [String] = []
  ) -> StoryFence {
    StoryFence(
      id: id, comment: comment, area: .circle(center: center, radius: radius), dwell: dwell,
      options: options)
  }

  static func polygon(
    _ id: String, _ corners: [Coordinate], _ comment: String, options: [String] = []
  ) -> StoryFence {
    StoryFence(
      id: id, comment: comment, area: .polygons([.init(outer: corners)]), options: options)
  }

  /// The fence as an entry of the config's list; nil for a fence that only GeoJSON can express.
  var entry: String? {
    var lines = [
      "- id: \(id)" + String(repeating: " ", count: max(1, 24 - id.count)) + "# \(comment)"
    ]
    switch area {
    case .circle(let center, let radius):
      lines.append("  center: \(Self.pair(center))")
      lines.append("  radius: \(Self.length(radius))")
    case .polygons(let polygons):
      guard polygons.count == 1, let rings = polygons.first, rings.holes.isEmpty else { return nil }
      lines.append("  polygon:")
      lines += rings.outer.map { "    - \(Self.pair($0))" }
    }
    if let dwell { lines.append("  dwell: \(String(dwell / 60, decimals: 0)) min") }
    lines += options.map { "  \($0)" }
    return lines.map { "  \($0)\n" }.joined()
  }

  private static func pair(_ place: Coordinate) -> String {
    "[\(String(place.latitude, decimals: 6)), \(String(place.longitude, decimals: 6))]"
  }

  private static func length(_ metres: Double) -> String {
    metres >= 1000 && metres.truncatingRemainder(dividingBy: 1000) == 0
      ? "\(String(metres / 1000, decimals: 0)) km" : "\(String(metres, decimals: 0)) m"
  }
}

extension Coordinate {
  /// The position so many metres east and north of this one, to 6 decimals, as a config writes it.
  func offset(east: Double, north: Double) -> Coordinate {
    let northern =
      north == 0 ? self : destination(bearing: north > 0 ? 0 : 180, distance: abs(north))
    let place =
      east == 0 ? northern : northern.destination(bearing: east > 0 ? 90 : 270, distance: abs(east))
    return Coordinate(
      latitude: (place.latitude * 1e6).rounded() / 1e6,
      longitude: (place.longitude * 1e6).rounded() / 1e6)
  }
}
