internal import Geodesy

/// A place of an earlier answer, for requests with the same key.
struct CachedPlace: Sendable, Hashable, Codable {
  private let place: GeocodedPlace
  /// Whether its distance is from the coordinate of the request to its own; at sea it may be that to
  /// the coast.
  private let isMeasured: Bool

  private enum CodingKeys: String, CodingKey {
    case place
    case isMeasured = "measured"
  }

  /// Distances that differ by less are equal, metres.
  private static let tolerance = 0.01

  /// Compares the distance of the answer with that between the request and the place.
  init(_ place: GeocodedPlace, answering request: GeocoderRequest) {
    self.place = place
    if case .coordinate(let asked) = request.subject, let distance = place.distance {
      isMeasured = abs(place.coordinate.distance(to: asked) - distance) <= Self.tolerance
    } else {
      isMeasured = false
    }
  }

  /// Whether the coordinate is one; that of a damaged file may not be.
  var isValid: Bool { place.coordinate.isValid }

  /// The place for another request with the same key.
  func place(for request: GeocoderRequest) -> GeocodedPlace {
    guard case .coordinate(let asked) = request.subject, isMeasured else { return place }
    var answer = place
    let distance = place.coordinate.distance(to: asked)
    answer.distance = distance
    // An accuracy that came from the distance follows the new distance.
    if let accuracy = place.horizontalAccuracy, accuracy >= place.distance ?? 0 {
      answer.horizontalAccuracy = max(accuracy, distance)
    }
    return answer
  }
}
