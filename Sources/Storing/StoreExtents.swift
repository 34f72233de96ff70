internal import GRDB
internal import Geodesy

/// The boxes of the layers, which programs show first: extended with each transaction.
struct StoreExtents {
  private struct Extent {
    var west, south, east, north: Double
  }

  private var extents: [StoreSchema.Layer: Extent] = [:]

  mutating func extend(_ layer: StoreSchema.Layer, to coordinate: Coordinate) {
    let (x, y) = (coordinate.longitude, coordinate.latitude)
    guard x.isFinite, y.isFinite else { return }
    guard let old = extents[layer] else {
      extents[layer] = Extent(west: x, south: y, east: x, north: y)
      return
    }
    extents[layer] = Extent(
      west: min(old.west, x), south: min(old.south, y), east: max(old.east, x),
      north: max(old.north, y))
  }

  func write(_ db: Database) throws {
    for (layer, extent) in extents {
      try db.cachedStatement(
        sql: """
          UPDATE gpkg_contents SET min_x = min(coalesce(min_x, ?2), ?2),
          min_y = min(coalesce(min_y, ?3), ?3), max_x = max(coalesce(max_x, ?4), ?4),
          max_y = max(coalesce(max_y, ?5), ?5), last_change = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
          WHERE table_name = ?1
          """
      ).execute(arguments: [
        layer.rawValue, extent.west, extent.south, extent.east, extent.north,
      ])
    }
  }
}
