package import Foundation
package import Geodesy

/// The tiles of a page's map.
package struct PageTiles {
  package enum Images {
    /// Part of the page.
    case embedded(EmbeddedTiles)
    /// Requested by the browser.
    case server(TileServer)
    /// Requested by the browser from the program that serves the page.
    case served(TileFile)
  }

  package let images: Images
  /// Who made the map; it may have markup.
  package let attribution: String?

  /// The tiles for a page that shows these places.
  package init(
    _ settings: TileSettings, around places: some Sequence<Coordinate>
  ) throws(TileError) {
    switch settings.source {
    case .file(let path):
      let file = try TileFile(path: path)
      images = .embedded(try file.tiles(around: places))
      attribution = settings.attribution ?? file.attribution
    case .server(let server):
      images = .server(server)
      attribution = settings.attribution
    }
  }
}

extension PageTiles {
  /// The tiles for a page that a program serves, wherever its map goes.
  package init(served settings: TileSettings) throws(TileError) {
    switch settings.source {
    case .file(let path):
      let file = try TileFile(path: path)
      images = .served(file)
      attribution = settings.attribution ?? file.attribution
    case .server(let server):
      images = .server(server)
      attribution = settings.attribution
    }
  }
}

/// Tiles that are part of a page.
package struct EmbeddedTiles {
  /// The file that has them.
  package let path: String
  package let mediaType: String
  /// By zoom, then row by row.
  package let images: [(tile: Tile, image: Data)]
  /// The smallest zoom that had no room; nil when all have.
  package let firstLeftOut: Int?

  /// A line for people about what is missing; nil when nothing is.
  package var remark: String? {
    if let firstLeftOut {
      return "\(path): the page has tiles of zooms below \(firstLeftOut); "
        + "more would exceed \(TileFile.mostBytes / 1_000_000) MB"
    }
    return images.isEmpty ? "\(path): no tiles where the tracks are" : nil
  }
}
