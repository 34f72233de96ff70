extension WebPage {
  /// The files of the live page.
  package static var live: [WebPage] {
    let html = "text/html; charset=utf-8"
    let script = "text/javascript; charset=utf-8"
    return [
      WebPage(path: "/", type: html, bytes: PackageResources.index_html),
      WebPage(path: "/live.css", type: "text/css; charset=utf-8", bytes: PackageResources.live_css),
      WebPage(path: "/live.js", type: script, bytes: PackageResources.live_js),
      WebPage(path: "/way.js", type: script, bytes: PackageResources.way_js),
      WebPage(path: "/words.js", type: script, bytes: PackageResources.words_js),
    ]
  }
}
