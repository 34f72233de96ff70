/// The geocoder of a program without one: every request fails.
///
/// A ``GeocoderChain`` without geocoders uses it, so such a program gets an error with what to do.
public struct NoGeocoder: Geocoder {
  /// Makes one.
  public init() {}

  /// Always throws ``GeocoderError/network(_:)``.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    throw .network("no geocoder is configured; give the location service one for place names")
  }
}
