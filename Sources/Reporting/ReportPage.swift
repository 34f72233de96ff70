internal import EventLog
internal import MapTiles
internal import Text
internal import Tracking

/// Writes a report as one HTML file that requests nothing from any network, except tiles of the map
/// when the config names a server of them.
package enum ReportPage {
  /// The bytes of the page; the same for the same report.
  package static func bytes(of report: Report) -> [UInt8] {
    var page: [UInt8] = []
    let style = Array(PageFile.style)
    let script = PageFile.leaflet + Array(PageFile.script) + PageFile.reportScript
    append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", &page)
    append(
      """
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src \
      '\(source(script))'; style-src '\(source(style))'; img-src data:\(tileSource(of: report)); \
      base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="waymark report">
      <title>\(XMLText.escaped(title(of: report)))</title>
      <style>
      """, &page)
    page.append(contentsOf: style)
    append("</style>\n</head>\n<body>\n", &page)
    page.append(contentsOf: PageFile.reportBody)
    appendTable(of: report, &page)
    append("<script type=\"application/json\" id=\"data\">", &page)
    page.append(contentsOf: report.data)
    append("</script>\n<script>", &page)
    page.append(contentsOf: script)
    append("</script>\n</body>\n</html>\n", &page)
    return page
  }

  /// The name of an inline script or style in a content security policy.
  private static func source(_ text: [UInt8]) -> String {
    var hash: [UInt8] = []
    Base64.append(SHA256.hash(text), to: &hash)
    return "sha256-\(String(decoding: hash, as: UTF8.self))"
  }

  /// The server of map tiles, as a further source of images; empty without one.
  private static func tileSource(of report: Report) -> String {
    guard case .server(let server)? = report.tiles?.images else { return "" }
    return " \(server.origin)"
  }

  private static func title(of report: Report) -> String {
    let names = report.devices.map(\.name)
    guard let first = names.first else { return "Waymark report" }
    return names.count == 1
      ? "\(first) – Waymark report" : "\(first) and \(names.count - 1) more – Waymark report"
  }

  /// The events for browsers that run no scripts.
  private static func appendTable(of report: Report, _ page: inout [UInt8]) {
    append(
      "<noscript><table><caption>Events</caption><thead><tr><th>Time (UTC)</th><th>Device</th>"
        + "<th>Event</th><th>Fence or place</th></tr></thead><tbody>\n", &page)
    for entry in report.standing {
      var time: [UInt8] = []
      if let moment = entry.time { TimeText.append(moment, to: &time) }
      let name = entry.event?.statement.fence ?? entry.place ?? entry.problem?.message ?? ""
      let cells = [
        String(decoding: time, as: UTF8.self), entry.device, entry.kind.rawValue, name,
      ]
      append(
        "<tr>\(cells.map { "<td dir=\"auto\">\(XMLText.escaped($0))</td>" }.joined())</tr>\n", &page
      )
    }
    append("</tbody></table></noscript>\n", &page)
  }

  private static func append(_ text: String, _ page: inout [UInt8]) {
    page.append(contentsOf: text.utf8)
  }
}
