internal import Foundation
internal import Geodesy
internal import HTTP

/// A request as an HTTP request to a server.
///
/// The parameters are those of https://nominatim.org/release-docs/latest/api/Reverse/ and `Search/`.
struct NominatimRequest {
  private let configuration: NominatimGeocoder.Configuration
  private let request: GeocoderRequest
  private let grid: CoordinateGrid?

  init(_ request: GeocoderRequest, _ configuration: NominatimGeocoder.Configuration) {
    self.configuration = configuration
    self.request = request
    grid = configuration.rounding.map { CoordinateGrid(size: $0) }
  }

  private var language: String? { request.language ?? configuration.language }

  /// The headers.
  var headers: [String: String] {
    [
      "User-Agent": configuration.server.userAgent, "Accept": "application/json",
      "Accept-Language": language?.percentEncoded ?? "*",
    ]
  }

  /// The URL; nil only if it cannot be written.
  var url: URL? {
    let common = [("format", "jsonv2"), ("addressdetails", "1"), ("accept-language", language)]
    switch request.subject {
    case .coordinate(let coordinate):
      let position = rounded(coordinate)
      let latitude = ("lat", Self.degrees(position.latitude) as String?)
      let items = [latitude, ("lon", Self.degrees(position.longitude)), ("zoom", String(zoom))]
      return configuration.server.url("reverse", items + common)
    case .text(let text, let near):
      let items = [("q", text as String?), ("limit", "10"), ("viewbox", near.map(viewbox))]
      return configuration.server.url("search", items + common)
    }
  }

  private func rounded(_ position: Coordinate) -> Coordinate {
    grid?.middle(of: position) ?? position
  }

  /// The detail of the answer: no finer than the grid to which the coordinate is rounded.
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

  /// West, south, east and north.
  ///
  /// Servers do not wrap, so a box over the antimeridian keeps only the side of its middle.
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
