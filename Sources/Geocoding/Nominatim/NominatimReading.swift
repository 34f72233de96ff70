internal import Foundation
internal import Geodesy

/// What an answer of a server means.
struct NominatimReading {
  private let response: HTTPResponse
  private let server: String

  init(_ response: HTTPResponse, server: String) {
    self.response = response
    self.server = server
  }

  func places(for request: GeocoderRequest) throws(GeocoderError) -> [GeocodedPlace] {
    if let refusal = decoded(NominatimRefusal.self) {
      guard !refusal.saysNothingIsThere else { throw .noResult }
      throw .network("\(server) refused\(status): \(Self.shown(refusal.message))\(advice)")
    }
    guard response.status == 200 else {
      throw .network("\(server) answered with status \(response.status)\(advice)")
    }
    switch request.subject {
    case .coordinate(let asked):
      let answer = decoded(NominatimAnswer.self)
      guard let place = answer?.place(asked: asked) else { throw wrongContent }
      return [place]
    case .text(_, let near):
      guard let answers = decoded([NominatimAnswer].self) else { throw wrongContent }
      let places = answers.compactMap { $0.place(asked: nil) }
      guard places.count == answers.count else { throw wrongContent }
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

  /// What to do about a status.
  private var advice: String {
    switch response.status {
    case 300..<400: "; it is elsewhere now: give its new address"
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
      "\(server) sent no answer of Nominatim but something\(type) that begins with '\(start)'; "
        + "check the address, and whether a log-in page stands between")
  }

  /// The start of a text of the server, fit for one line.
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
