package import Foundation
internal import GRDB
package import Geodesy
internal import Glibc
internal import System

/// A file of map tiles: raster images in an MBTiles file, which is read and never written.
///
/// Source: MBTiles 1.3. Its rows are counted from the south.
package struct TileFile: Sendable {
  package let path: String
  /// The media type of its images.
  package let mediaType: String
  /// The zooms of its tiles, as far as a page uses them.
  package let zooms: ClosedRange<Int>
  /// Who made the map; it may have markup.
  package let attribution: String?
  private let database: DatabaseQueue

  /// No page shows larger zooms; a tile of this one is 150 m wide at the equator.
  package static let largestZoom = 18
  /// The most bytes of images in a page.
  package static let mostBytes = 8_000_000
  /// The most bytes of one that is given alone.
  private static let mostBytesOfOne = 1 << 20

  package init(path: String) throws(TileError) {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "waymark.tiles"
    // A view of the file calls no function that does more than compute.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
    let (found, database) = try TileError.attempt(path) {
      // SQLite's error for a missing file does not say why.
      guard access(path, R_OK) == 0 else { throw SystemError.last }
      let database = try DatabaseQueue(path: path, configuration: configuration)
      return (try database.read(Contents.init), database)
    }
    (self.path, self.database) = (path, database)
    (mediaType, zooms, attribution) = (found.mediaType, found.zooms, found.attribution)
  }

  /// The tiles around places, each zoom as a whole, from the smallest zoom on while they have room.
  package func tiles(around places: some Sequence<Coordinate>) throws(TileError) -> EmbeddedTiles {
    let cover = TileCover(places, largestZoom: zooms.upperBound)
    return try TileError.attempt(path) {
      try database.read { db in
        var (images, room) = ([(tile: Tile, image: Data)](), Self.mostBytes)
        for zoom in zooms {
          var level: [(tile: Tile, image: Data)] = []
          for tile in cover.tiles(at: zoom) {
            guard let image = try Self.image(of: tile, most: room, db) else { continue }
            room -= image.count
            guard room >= 0 else { return embedded(images, fullFrom: zoom) }
            level.append((tile, image))
          }
          images += level
        }
        return embedded(images, fullFrom: nil)
      }
    }
  }

  /// The image of a tile; nil when the file has none of at most 1 MiB.
  package func image(of tile: Tile) throws(TileError) -> Data? {
    let image = try TileError.attempt(path) {
      try database.read { db in try Self.image(of: tile, most: Self.mostBytesOfOne, db) }
    }
    return image.flatMap { $0.count <= Self.mostBytesOfOne ? $0 : nil }
  }

  private func embedded(
    _ images: [(tile: Tile, image: Data)], fullFrom zoom: Int?
  ) -> EmbeddedTiles {
    EmbeddedTiles(path: path, mediaType: mediaType, images: images, firstLeftOut: zoom)
  }

  /// The image of a tile; nil when the file has none.
  ///
  /// Of one that is larger than `most`, the first bytes that are too many.
  private static func image(of tile: Tile, most: Int, _ db: Database) throws -> Data? {
    try Data.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT substr(tile_data, 1, ?) FROM tiles
          WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
          """),
      arguments: [most + 1, tile.zoom, tile.x, (1 << tile.zoom) - 1 - tile.y])
  }

  /// What the file says of itself.
  private struct Contents {
    let mediaType: String
    let zooms: ClosedRange<Int>
    let attribution: String?

    init(_ db: Database) throws {
      guard try Self.hasTable("metadata", db), try Self.hasTable("tiles", db) else {
        throw TileError.Unsuitable("it is a database, but no MBTiles file")
      }
      let format = try Self.value("format", db) ?? "no format"
      switch format {
      case "png", "webp": mediaType = "image/\(format)"
      case "jpg", "jpeg": mediaType = "image/jpeg"
      default:
        throw TileError.Unsuitable(
          "its tiles are \(format == "pbf" ? "vectors (pbf)" : format); expected png, jpg or webp")
      }
      let range = try Row.fetchOne(
        db,
        sql: """
          SELECT (SELECT min(zoom_level) FROM tiles), (SELECT max(zoom_level) FROM tiles)
          """)
      guard let range, let first = range[0] as Int?, let last = range[1] as Int?, last >= 0,
        first <= TileFile.largestZoom
      else {
        throw TileError.Unsuitable("it has no tiles of zoom 0 to \(TileFile.largestZoom)")
      }
      zooms = max(first, 0)...min(last, TileFile.largestZoom)
      attribution = try Self.value("attribution", db)
    }

    /// Whether there is a table or a view of this name.
    private static func hasTable(_ name: String, _ db: Database) throws -> Bool {
      try db.tableExists(name) || db.viewExists(name)
    }

    private static func value(_ name: String, _ db: Database) throws -> String? {
      try String.fetchOne(db, sql: "SELECT value FROM metadata WHERE name = ?", arguments: [name])
    }
  }
}
