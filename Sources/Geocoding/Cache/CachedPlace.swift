internal import Geodesy

/// A place that was answered once, for whoever asks from nearby.
struct CachedPlace: Sendable, Hashable, Codable {
  private let place: GeocodedPlace
  /// Whether its distance is that of its coordinate from the one that was asked for; at sea it may be
  /// that of the coast.
  private let isMeasured: Bool

  private enum CodingKeys: String, CodingKey {
    case place
    case isMeasured = "measured"
  }

  /// Distances within this of each other are one, metres.
  private static let tolerance = 0.01

  init(_ place: GeocodedPlace, answering request: GeocoderRequest) {
    self.place = place
    if case .coordinate(let asked) = request.subject, let distance = place.distance {
      isMeasured = abs(place.coordinate.distance(to: asked) - distance) <= Self.tolerance
    } else {
      isMeasured = false
    }
  }

  var isValid: Bool { place.coordinate.isValid }

  /// The same for another request with the same key.
  func place(for request: GeocoderRequest) -> GeocodedPlace {
    guard case .coordinate(let asked) = request.subject, isMeasured else { return place }
    var answer = place
    let distance = place.coordinate.distance(to: asked)
    answer.distance = distance
    // Where a name was known no better than its distance, it is not now.
    if let accuracy = place.horizontalAccuracy, accuracy >= place.distance ?? 0 {
      answer.horizontalAccuracy = max(accuracy, distance)
    }
    return answer
  }
}
