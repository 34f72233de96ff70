internal import Geocoding
package import Geodesy
internal import Session
package import Tracking

/// The place names of visits, from a geocoder.
package struct GeocodedPlaceNames: PlaceNamer {
  private let namer: StayNamer

  /// The place names of validated settings; nil without providers.
  /// - Parameters:
  ///   - settings: The settings of the config.
  ///   - waits: Whether to wait for the answers of a server.
  ///   - report: See ``GeocoderFactory/make(_:report:)``.
  /// - Throws: ``GeocoderFactory/Failure``.
  package init?(
    _ settings: GeocoderSettings, waits: Bool, report: @escaping @Sendable (String) -> Void
  ) throws(GeocoderFactory.Failure) {
    guard let geocoder = try GeocoderFactory.make(settings, report: report) else { return nil }
    // An answer of a table may be delayed for ever.
    namer = StayNamer(geocoder, waits: waits && !settings.providers.contains(.stub))
  }

  package func name(of visit: Visit, at coordinate: Coordinate, of device: String) -> String? {
    namer.name(
      of: StayNamer.Stay(device: device, arrival: visit.arrival.nanoseconds), at: coordinate)
  }
}
