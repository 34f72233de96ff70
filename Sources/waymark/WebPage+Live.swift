import Geodesy
import Reporting
import Serving
import Tracking

extension WebPage {
  /// The files of the live page; places around the fences have names on its map.
  static func live(around fences: FenceSet) -> [WebPage] {
    let script = "text/javascript; charset=utf-8"
    return [
      WebPage(path: "/", type: "text/html; charset=utf-8", bytes: LivePage.html),
      WebPage(path: "/page.css", type: "text/css; charset=utf-8", bytes: LivePage.style),
      WebPage(path: "/leaflet.js", type: script, bytes: LivePage.leaflet),
      WebPage(path: "/page.js", type: script, bytes: LivePage.sharedScript),
      WebPage(path: "/live.js", type: script, bytes: LivePage.script),
      WebPage(
        path: "/map.json", type: "application/json", bytes: LivePage.map(around: box(fences))),
    ]
  }

  private static func box(_ fences: FenceSet) -> Box? {
    fences.lazy.compactMap(\.area.boundingBox).reduce(nil) { $0?.union($1) ?? $1 }
  }
}
