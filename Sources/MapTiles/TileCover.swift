internal import Geodesy

/// The tiles around places, for each zoom: those with a place, and those that touch them.
struct TileCover {
  /// The tiles with a place, from zoom 0 on.
  private let levels: [Set<Tile>]

  /// - Complexity: O(places + zooms × tiles).
  init(_ places: some Sequence<Coordinate>, largestZoom: Int) {
    var deepest: Set<Tile> = []
    var last: Tile?
    for place in places {
      let tile = Tile(zoom: largestZoom, around: place)
      if tile != last { deepest.insert(tile) }
      last = tile
    }
    var levels = [deepest]
    for _ in 0..<largestZoom { levels.append(Set(levels[levels.count - 1].map(\.parent))) }
    self.levels = levels.reversed()
  }

  /// The tiles of a zoom, row by row.
  func tiles(at zoom: Int) -> [Tile] {
    Set(levels[zoom].flatMap(\.neighbourhood)).sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }
}
