internal import Foundation
internal import Geodesy
internal import HTTP

/// The places or the error in the response of a server.
struct NominatimResponse {
  private let response: HTTPResponse
  private let server: String

  init(_ response: HTTPResponse, server: String) {
    self.response = response
    self.server = server
  }

  /// The places, those within the area of the request first.
  ///
  /// - Throws: ``GeocoderError/noResult`` when the server knows nothing, else
  ///   ``GeocoderError/network(_:)`` with what it sent and what to do.
  func places(for request: GeocoderRequest) throws(GeocoderError) -> [GeocodedPlace] {
    if let body = decoded(NominatimErrorBody.self) {
      guard !body.isNoResult else { throw .noResult }
      throw .network("\(server) refused\(status): \(Self.shown(body.message))\(advice)")
    }
    guard response.status == 200 else {
      throw .network("\(server) answered with status \(response.status)\(advice)")
    }
    switch request.subject {
    case .coordinate(let asked):
      let found = decoded(NominatimPlace.self)
      guard let place = found?.place(asked: asked) else { throw wrongContent }
      return [place]
    case .text(_, let near):
      guard let found = decoded([NominatimPlace].self) else { throw wrongContent }
      let places = found.compactMap { $0.place(asked: nil) }
      guard places.count == found.count else { throw wrongContent }
      guard !places.isEmpty else { throw .noResult }
      guard let near else { return places }
      return places.filter { near.contains($0.coordinate) }
        + places.filter { !near.contains($0.coordinate) }
    }
  }

  private func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
    try? JSONDecoder().decode(type, from: response.body)
  }

  private var status: String { response.status == 200 ? "" : " (status \(response.status))" }

  /// What to do about the status.
  private var advice: String {
    switch response.status {
    case 300..<400: "; it has moved: give its new address"
    case 401, 403: "; read its usage policy, and check the address, its key and the contact"
    case 404: "; check the path in the address: requests go to 'reverse' and 'search' below it"
    case 500...: "; try again later"
    default: ""
    }
  }

  private var wrongContent: GeocoderError {
    let start = Self.shown(String(decoding: response.body.prefix(60), as: UTF8.self))
    let type = response.headers["content-type"].map { " of type \(Self.shown($0))" } ?? ""
    return .network(
      "\(server) sent no Nominatim response but something\(type) that begins with '\(start)'; "
        + "check the address, and that no log-in page intercepts it")
  }

  /// The start of a text of the server, safe for one line.
  private static func shown(_ text: String) -> String {
    let line = text.prefix(200).map { character in
      character.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
          && $0.properties.generalCategory != .lineSeparator
      } ? character : " "
    }
    return String(line)
  }
}
