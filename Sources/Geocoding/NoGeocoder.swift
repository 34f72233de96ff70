/// The geocoder of a program that has none: nothing is asked of anybody.
public struct NoGeocoder: Geocoder {
  /// Makes one; all are alike.
  public init() {}

  /// Always throws ``GeocoderError/network(_:)``.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    throw .network("no geocoder is configured; give the location service one to name places")
  }
}
