internal import EventLog
internal import Geocoding
internal import Geodesy
internal import Text
internal import Tracking

/// Writes the map of a report alone, as an SVG picture of fixed size.
package struct ReportMap {
  private let report: Report
  let view: MapView
  private var svg: [UInt8] = []

  /// The bytes of the picture; the same for the same report.
  package static func bytes(of report: Report) -> [UInt8] {
    var map = ReportMap(report)
    map.draw()
    return map.svg
  }

  private init(_ report: Report) {
    self.report = report
    let box = report.box ?? Box(south: -60, west: -170, north: 75, east: 170)
    view = MapView(box, width: 1_200, height: 800)
  }

  private mutating func draw() {
    put(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" font-family="sans-serif" \
      font-size="13" text-anchor="middle">
      <rect width="1200" height="800" fill="#d5e3ec"/>

      """)
    drawLand()
    drawTowns()
    for fence in report.rules.fences { draw(fence) }
    for device in report.devices {
      drawEstimates(of: device)
      drawTrack(of: device)
    }
    for entry in report.standing { draw(entry) }
    drawLegend(hindsight: report.hindsight)
    put(
      "<text x=\"1192\" y=\"792\" text-anchor=\"end\" font-size=\"10\" fill=\"#4b5a64\">"
        + "Coasts and borders: Natural Earth. Places: GeoNames, CC BY 4.0.</text>\n</svg>\n")
  }

  private mutating func drawLand() {
    var land: [[Pixel]] = []
    BaseMapFile.forEachRing { land += view.outlines(of: $0) }
    put("<path fill=\"#f6f4ee\" fill-rule=\"evenodd\" stroke=\"#b3ada0\" d=\"")
    for ring in land { putLine(ring, isClosed: true) }
    put("\"/>\n")
  }

  private mutating func drawTowns() {
    var taken: [Pixel] = []
    for town in report.towns.prefix(Self.mostTowns) {
      let place: Pixel = view.place(town.coordinate)
      let isTaken = taken.contains { (other: Pixel) -> Bool in
        abs(other.x - place.x) < 90 && abs(other.y - place.y) < 26
      }
      guard view.isNear(place), !isTaken else { continue }
      taken.append(place)
      put("<circle \(center(place)) r=\"2.5\" fill=\"#5d5a52\"/>")
      put(text(town.name, at: Pixel(x: place.x, y: place.y - 6), "#5d5a52"))
    }
  }

  private static let mostTowns = 60

  private mutating func draw(_ fence: Fence) {
    guard let box = fence.area.boundingBox else { return }
    let style = "fill=\"#5b3fa0\" fill-opacity=\".12\" stroke=\"#5b3fa0\" stroke-width=\"2\""
    put("<path \(style) fill-rule=\"evenodd\" d=\"")
    for ring in Self.rings(of: fence.area) {
      for outline in view.outlines(of: ring) { putLine(outline, isClosed: true) }
    }
    put("\"/>\n")
    let middle = Angle.wrapped(box.west + box.degreesEast / 2)
    var top = view.place(Coordinate(latitude: box.north, longitude: middle))
    top.y -= 6
    put(text(fence.id, at: top, "#5b3fa0"))
  }

  private static func rings(of area: Area) -> [[Coordinate]] {
    switch area {
    case .circle(let circle):
      // The page has as many corners.
      let bearings = stride(from: 0, to: 360, by: 3.75)
      return [bearings.map { circle.center.destination(bearing: $0, distance: circle.radius) }]
    case .polygons(let polygons):
      return polygons.flatMap { [$0.exterior] + $0.holes }
    }
  }

  private mutating func draw(_ entry: LogEntry) {
    guard let coordinate = entry.coordinate, coordinate.isValid else { return }
    let place = view.place(coordinate)
    drawAccuracy(of: entry, at: place, coordinate.latitude)
    switch entry.kind {
    case .visit:
      put(
        "<circle \(center(place)) r=\"\(radius(of: entry))\" fill=\"#8a5300\" "
          + "fill-opacity=\".25\" stroke=\"#8a5300\">")
    case .enter:
      put("<path d=\"M\(point(place))m-6-6h12l-6 13z\" fill=\"#0b6e4f\" stroke=\"#fff\">")
    case .exit:
      put("<path d=\"M\(point(place))m-6 6h12l-6-13z\" fill=\"#b3261e\" stroke=\"#fff\">")
    default: return
    }
    var time: [UInt8] = []
    if let moment = entry.time { TimeText.append(moment, to: &time) }
    let name = entry.event?.statement.fence ?? entry.place ?? ""
    let title =
      "\(entry.device) \(entry.kind.rawValue) \(name) \(String(decoding: time, as: UTF8.self))"
    put("<title>\(XMLText.escaped(title))</title></\(entry.kind == .visit ? "circle" : "path")>\n")
  }

  /// The disc that holds the crossing with probability 0.68, where it is larger than the sign.
  private mutating func drawAccuracy(of entry: LogEntry, at place: Pixel, _ latitude: Double) {
    guard let colour = Self.crossingColours[entry.kind],
      let accuracy = entry.event?.horizontalAccuracy
    else { return }
    let radius = view.pixels(accuracy, at: latitude)
    guard radius > 7 else { return }
    put(
      "<circle \(center(place)) r=\"\(number(radius))\" fill=\"\(colour)\" "
        + "fill-opacity=\".08\" stroke=\"\(colour)\"/>\n")
  }

  private static let crossingColours: [LogEntry.Kind: String] = [
    .enter: "#0b6e4f", .exit: "#b3261e",
  ]

  /// That of a visit, larger for a longer stay; the page has the same.
  private func radius(of entry: LogEntry) -> String {
    guard let visit = entry.event?.statement.visit else { return "8" }
    let end = visit.departure ?? entry.event?.decided ?? visit.arrival
    let hours = max(end.seconds(since: visit.arrival), 0) / 3_600
    return number(min(8 + 5 * hours.squareRoot(), 30))
  }

  // MARK: Text

  mutating func put(_ text: String) { svg.append(contentsOf: text.utf8) }

  mutating func putLine(_ points: [Pixel], isClosed: Bool) {
    for (index, place) in points.enumerated() { put("\(index == 0 ? "M" : "L")\(point(place))") }
    if isClosed { put("Z") }
  }

  private func text(_ name: String, at place: Pixel, _ colour: String) -> String {
    "<text x=\"\(number(place.x))\" y=\"\(number(place.y))\" fill=\"\(colour)\" stroke=\"#fff\" "
      + "stroke-width=\"3\" paint-order=\"stroke\">\(XMLText.escaped(name))</text>\n"
  }

  private func center(_ place: Pixel) -> String {
    "cx=\"\(number(place.x))\" cy=\"\(number(place.y))\""
  }

  private func point(_ place: Pixel) -> String { "\(number(place.x)) \(number(place.y))" }

  func number(_ value: Double) -> String {
    var digits: [UInt8] = []
    DecimalText.append(value, decimals: 1, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }
}
