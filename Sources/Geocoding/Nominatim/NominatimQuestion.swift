internal import Foundation
internal import Geodesy

/// A request as it is put to a server.
///
/// The parameters are those of https://nominatim.org/release-docs/latest/api/Reverse/ and `Search/`.
struct NominatimQuestion {
  private let configuration: NominatimGeocoder.Configuration
  private let request: GeocoderRequest
  private let grid: CoordinateGrid?

  init(_ request: GeocoderRequest, _ configuration: NominatimGeocoder.Configuration) {
    self.configuration = configuration
    self.request = request
    grid = configuration.rounding.map { CoordinateGrid(size: $0) }
  }

  private var language: String? { request.language ?? configuration.language }

  /// What goes with the address.
  ///
  /// Without a language Foundation would send that of the machine.
  var headers: [String: String] {
    [
      "User-Agent": configuration.server.userAgent, "Accept": "application/json",
      "Accept-Language": language?.percentEncoded ?? "*",
    ]
  }

  /// Where to ask; nil only where the address cannot be written.
  var url: URL? {
    let common = [("format", "jsonv2"), ("addressdetails", "1"), ("accept-language", language)]
    switch request.subject {
    case .coordinate(let coordinate):
      let place = rounded(coordinate)
      let latitude = ("lat", Self.degrees(place.latitude) as String?)
      let items = [latitude, ("lon", Self.degrees(place.longitude)), ("zoom", String(zoom))]
      return configuration.server.url("reverse", items + common)
    case .text(let text, let near):
      let items = [("q", text as String?), ("limit", "10"), ("viewbox", near.map(viewbox))]
      return configuration.server.url("search", items + common)
    }
  }

  private func rounded(_ place: Coordinate) -> Coordinate { grid?.middle(of: place) ?? place }

  /// How fine an answer may be: nothing finer than the grid that the coordinate was rounded to.
  ///
  /// 18 is a building, 16 a street, 14 a neighbourhood, 10 a city, 8 a county.
  private var zoom: Int {
    switch configuration.rounding ?? 0 {
    case ...30: 18
    case ...300: 16
    case ...2_000: 14
    case ...30_000: 10
    default: 8
    }
  }

  /// West, south, east and north; over the antimeridian only the side of the middle, as servers do
  /// not wrap.
  private func viewbox(_ near: Circle) -> String {
    let middle = rounded(near.center)
    let radius = near.radius + (configuration.rounding ?? 0)
    var box = Circle(center: middle, radius: radius).boundingBox
    if box.west > box.east {
      if middle.longitude < 0 { box.west = -180 } else { box.east = 180 }
    }
    return [box.west, box.south, box.east, box.north].map(Self.degrees).joined(separator: ",")
  }

  /// To 7 decimals, some 1 cm.
  private static func degrees(_ degrees: Double) -> String { String(format: "%.7f", degrees) }

  /// A length without needless decimals.
  static func metres(_ metres: Double) -> String {
    metres == metres.rounded() ? String(Int(metres)) : String(metres)
  }
}
