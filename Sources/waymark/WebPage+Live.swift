import Geodesy
import MapTiles
import Reporting
import Serving
import Tracking

extension WebPage {
  /// The files of the live page; places around the fences have names on its map.
  static func live(around fences: FenceSet, tiles: PageTiles?) -> [WebPage] {
    let script = "text/javascript; charset=utf-8"
    return [
      WebPage(path: "/", type: "text/html; charset=utf-8", bytes: LivePage.html),
      WebPage(path: "/page.css", type: "text/css; charset=utf-8", bytes: LivePage.style),
      WebPage(path: "/leaflet.js", type: script, bytes: LivePage.leaflet),
      WebPage(path: "/page.js", type: script, bytes: LivePage.sharedScript),
      WebPage(path: "/live.js", type: script, bytes: LivePage.script),
      WebPage(
        path: "/map.json", type: "application/json",
        bytes: LivePage.map(around: box(fences), tiles: tiles)),
    ]
  }

  private static func box(_ fences: FenceSet) -> Box? {
    fences.lazy.compactMap(\.area.boundingBox).reduce(nil) { $0?.union($1) ?? $1 }
  }
}

extension WebTiles {
  /// Nil for tiles that are part of a page.
  init?(_ tiles: PageTiles) {
    switch tiles.images {
    case .server(let server): self = .server(server.origin)
    case .served(let file):
      self = .images(type: file.mediaType) { zoom, x, y in
        // A tile that cannot be read is one that is not there: the page shows the one above.
        (try? file.image(of: Tile(zoom: zoom, x: x, y: y))).map(Array.init)
      }
    case .embedded: return nil
    }
  }
}
