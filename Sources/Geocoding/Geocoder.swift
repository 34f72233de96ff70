public import Geodesy

/// A service that finds the names of positions and the positions of names.
///
/// A geocoder takes any number of concurrent requests. It throws ``GeocoderError/cancelled`` soon
/// after the task of a request is cancelled. Rate limits and caching are up to the geocoder.
public protocol Geocoder: Sendable {
  /// The places for a request, best first and never empty.
  ///
  /// - Throws: ``GeocoderError``; nothing else, and never an empty list in place of
  ///   ``GeocoderError/noResult``.
  func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace]

  /// The same if it is known without waiting, else nil.
  ///
  /// It takes microseconds. The default implementation returns nil.
  func answerAtOnce(to request: GeocoderRequest) -> Result<[GeocodedPlace], GeocoderError>?
}

extension Geocoder {
  /// Always nil.
  public func answerAtOnce(
    to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError>? { nil }

  /// The names of the place at a coordinate, best first and never empty.
  ///
  /// - Parameters:
  ///   - coordinate: The position.
  ///   - language: The language of the names as a BCP 47 tag; nil for the geocoder's default.
  /// - Throws: ``GeocoderError/invalidRequest(_:)`` for a coordinate that is no position, else what
  ///   ``places(for:)`` throws.
  public func reverse(
    _ coordinate: Coordinate, language: String? = nil
  ) async throws(GeocoderError) -> [GeocodedPlace] {
    try await places(for: .reverse(coordinate, language: language))
  }

  /// The places with a name or an address, best first and never empty.
  ///
  /// - Parameters:
  ///   - text: A name or an address.
  ///   - near: An area whose places come first.
  ///   - language: The language of the names as a BCP 47 tag; nil for the geocoder's default.
  /// - Throws: ``GeocoderError/invalidRequest(_:)`` for a text without words, one that is too long,
  ///   or an area without a size; else what ``places(for:)`` throws.
  public func forward(
    _ text: String, near: Circle? = nil, language: String? = nil
  ) async throws(GeocoderError) -> [GeocodedPlace] {
    try await places(for: .forward(text, near: near, language: language))
  }
}
