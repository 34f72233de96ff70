import Foundation
import GRDB
import Geodesy
import TestSupport

@testable import MapTiles

/// MBTiles files for tests.
enum TileFixture {
  static let berlin = Coordinate(latitude: 52.5163, longitude: 13.3777)

  /// Writes a file with tiles of some bytes; the rows are from the north.
  @discardableResult
  static func write(
    _ path: String, format: String? = "png", attribution: String? = nil,
    tiles: [(tile: Tile, image: Data)]
  ) throws -> String {
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          CREATE TABLE tiles (
            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
          CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
          """)
      for (name, value) in [("format", format), ("attribution", attribution)] where value != nil {
        try db.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
      }
      for (tile, image) in tiles {
        try db.execute(
          sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
          arguments: [tile.zoom, tile.x, (1 << tile.zoom) - 1 - tile.y, image])
      }
    }
    return path
  }

  /// Every tile of some zooms, each with so many bytes.
  static func world(_ zooms: ClosedRange<Int>, bytes: Int = 3) -> [(tile: Tile, image: Data)] {
    zooms.flatMap { zoom in
      (0..<1 << zoom).flatMap { x in
        (0..<1 << zoom).map { y in
          (Tile(zoom: zoom, x: x, y: y), Data(repeating: UInt8(zoom), count: bytes))
        }
      }
    }
  }
}
