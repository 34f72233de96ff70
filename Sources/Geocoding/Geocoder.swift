public import Geodesy

/// Something that knows what places are called and where names are.
///
/// A geocoder answers any number of requests at once. It throws ``GeocoderError/cancelled`` soon
/// after the task that asks is cancelled. How often it may ask a server, and what it keeps, is its
/// own affair.
public protocol Geocoder: Sendable {
  /// The places that answer a request, the best first and never none.
  func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace]

  /// The same where it is known without waiting for anything; nil when it has to be asked for.
  ///
  /// It takes microseconds. A geocoder that does not implement it never knows.
  func answerAtOnce(to request: GeocoderRequest) -> Result<[GeocodedPlace], GeocoderError>?
}

extension Geocoder {
  /// Not known without waiting.
  public func answerAtOnce(
    to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError>? { nil }

  /// What the place at a coordinate is called, the best answer first and never none.
  /// - Parameters:
  ///   - coordinate: Where.
  ///   - language: The language of the names as a BCP 47 tag; nil leaves it to the geocoder.
  public func reverse(
    _ coordinate: Coordinate, language: String? = nil
  ) async throws(GeocoderError) -> [GeocodedPlace] {
    try await places(for: .reverse(coordinate, language: language))
  }

  /// Where the place of a name or an address is, the best answer first and never none.
  /// - Parameters:
  ///   - text: A name or an address.
  ///   - near: Where to look first.
  ///   - language: The language of the names as a BCP 47 tag; nil leaves it to the geocoder.
  public func forward(
    _ text: String, near: Circle? = nil, language: String? = nil
  ) async throws(GeocoderError) -> [GeocodedPlace] {
    try await places(for: .forward(text, near: near, language: language))
  }
}
