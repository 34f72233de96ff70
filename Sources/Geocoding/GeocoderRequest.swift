public import Geodesy

/// A valid request to a geocoder.
///
/// Equal requests may have equal answers, so a request can be the key of a cache.
public struct GeocoderRequest: Sendable, Hashable {
  /// What to look up.
  public enum Subject: Sendable, Hashable {
    /// The names of the place at a coordinate (reverse geocoding).
    case coordinate(Coordinate)
    /// The places with a name or an address (forward geocoding).
    ///
    /// The text has no white space at its ends and single spaces between its words. Places in the
    /// circle `near` come first; it is a hint, not a limit.
    case text(String, near: Circle?)
  }

  /// The maximum length of a text, bytes of UTF-8; no postal address comes near it.
  public static let textLimit = 1024

  /// What to look up.
  public let subject: Subject
  /// The language of the names as a BCP 47 tag such as `de` or `pt-BR`; nil for the
  /// geocoder's default.
  public let language: String?

  private init(subject: Subject, language: String?) {
    self.subject = subject
    self.language = language
  }

  /// A request for the names of the place at a coordinate.
  /// - Throws: ``GeocoderError/invalidRequest(_:)`` for a coordinate that is out of range or not a number.
  public static func reverse(
    _ coordinate: Coordinate, language: String? = nil
  ) throws(GeocoderError) -> GeocoderRequest {
    guard coordinate.isValid else {
      throw .invalidRequest(
        "latitude \(coordinate.latitude), longitude \(coordinate.longitude) is not a position; "
          + "expected -90 to 90 and -180 to 180")
    }
    return GeocoderRequest(subject: .coordinate(coordinate), language: language)
  }

  /// A request for the places with a name or an address.
  /// - Parameters:
  ///   - text: White space at its ends is dropped, and any other becomes one space.
  ///   - near: An area whose places come first.
  ///   - language: The language of the answer as a BCP 47 tag; nil for the geocoder's default.
  /// - Throws: ``GeocoderError/invalidRequest(_:)`` for a text without words or above
  ///   ``textLimit``, and for a circle with an invalid centre or a radius that is not above 0.
  public static func forward(
    _ text: String, near: Circle? = nil, language: String? = nil
  ) throws(GeocoderError) -> GeocoderRequest {
    guard text.utf8.count <= textLimit else {
      throw .invalidRequest(
        "the address is \(text.utf8.count) bytes long; expected at most \(textLimit)")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else {
      throw .invalidRequest("the address is empty; expected the name of a place or its address")
    }
    if let near, !(near.center.isValid && near.radius > 0) {
      throw .invalidRequest(
        "there is no area of \(near.radius) m around \(near.center.latitude), "
          + "\(near.center.longitude); expected a valid centre and a radius above 0")
    }
    return GeocoderRequest(
      subject: .text(words.joined(separator: " "), near: near), language: language)
  }
}
