public import Foundation
internal import Geocoding
internal import Geodesy

/// Finds the names of places and the places of names, one request at a time.
///
/// Whom it asks is set in the location service; without a provider every request fails with
/// `CLError.network`. Every completion handler is called exactly once, on the main queue and after
/// the call has returned, with placemarks, the best first, or with a `CLError`:
///
/// - `geocodeFoundNoResult`: nothing is known there, or what was asked makes no sense; the
///   description says which.
/// - `geocodeFoundPartialResult`: only a part of the address is known.
/// - `geocodeCanceled`: ``cancelGeocode()`` was called, or another request of the same geocoder was
///   not answered yet. In the second case the request under way goes on; the new one is not made.
/// - `network`: the provider cannot be asked, or, with the profile `apple`, more than 50 requests
///   were made within 60 s by all geocoders of the program.
///
/// A geocoder that is let go while it waits still calls its handler. The asynchronous methods do
/// not heed the cancellation of their task, as on Apple's systems: call ``cancelGeocode()``.
open class CLGeocoder: NSObject {
  private let desk: GeocodingDesk
  private let run: GeocodingRun

  /// Makes a geocoder that asks the provider of the location service.
  public override init() {
    desk = .current
    run = GeocodingRun(desk)
    super.init()
  }

  /// Makes a geocoder that asks at a desk.
  init(_ desk: GeocodingDesk) {
    self.desk = desk
    run = GeocodingRun(desk)
    super.init()
  }

  /// Whether a request waits for its answer; false when its handler is called.
  open var isGeocoding: Bool { run.isRunning }

  /// Ends the request under way, whose handler is called with `geocodeCanceled`; nothing without
  /// one.
  ///
  /// Another request may be made as soon as it returns.
  open func cancelGeocode() {
    run.cancel()
  }

  /// Asks what the place of a location is called, in the language of the system.
  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    reverseGeocodeLocation(location, preferredLocale: nil, completionHandler: completionHandler)
  }

  /// Asks what the place of a location is called, in the language of a locale; nil is the system's.
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let (place, language) = (Coordinate(location.coordinate), language(of: locale))
    start(at: location.timestamp, completionHandler) { () throws(GeocoderError) in
      try .reverse(place, language: language)
    }
  }

  /// Asks where an address is, given by the keys of address books.
  ///
  /// It reads `Street` (or `SubThoroughfare` and `Thoroughfare`), `SubLocality`, `City`,
  /// `SubAdministrativeArea`, `State`, `ZIP` and `Country` (or `CountryCode`); without any of them,
  /// the strings of `FormattedAddressLines` or the `Name`.
  open func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any],
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(AddressText(addressDictionary).line, completionHandler: completionHandler)
  }

  /// Asks where the place of a name or an address is.
  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(addressString, in: nil, completionHandler: completionHandler)
  }

  /// Asks where the place of a name or an address is, in a region first.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(
      addressString, in: region, preferredLocale: nil, completionHandler: completionHandler)
  }

  /// Asks where the place of a name or an address is, in a region first.
  ///
  /// Only a ``CLCircularRegion`` says where to look; any other region is as good as nil.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let circle = (region as? CLCircularRegion).map {
      Circle(center: Coordinate($0.center), radius: $0.radius)
    }
    start(addressString, near: circle, locale, completionHandler)
  }

  /// Asks where the place of a name or an address is, within metres of a centre first.
  open func geocodeAddressString(
    _ addressString: String, inRegionCenteredAt centroid: CLLocationCoordinate2D,
    inRegionRadius radius: CLLocationDistance, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let circle = Circle(center: Coordinate(centroid), radius: radius)
    start(addressString, near: circle, locale, completionHandler)
  }

  private func start(
    _ text: String, near: Circle?, _ locale: Locale?,
    _ completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let language = language(of: locale)
    start(at: Date(), completionHandler) { () throws(GeocoderError) in
      try .forward(text, near: near, language: language)
    }
  }

  private func start(
    at time: Date, _ completionHandler: @escaping CLGeocodeCompletionHandler,
    _ request: () throws(GeocoderError) -> GeocoderRequest
  ) {
    run.start(
      Result(catching: request), GeocodingRun.Handler(call: completionHandler, time: time))
  }

  private func language(of locale: Locale?) -> String? {
    locale?.identifier(.bcp47) ?? desk.language
  }

  // In the class and not in an extension, so that a subclass can override them.

  /// Asks what the place of a location is called, in the language of the system.
  nonisolated(nonsending) open func reverseGeocodeLocation(
    _ location: CLLocation
  ) async throws -> [CLPlacemark] {
    try await placemarks { reverseGeocodeLocation(location, completionHandler: $0) }
  }

  /// Asks what the place of a location is called, in the language of a locale; nil is the system's.
  nonisolated(nonsending) open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
    }
  }

  /// Asks where the place of a name or an address is.
  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String
  ) async throws -> [CLPlacemark] {
    try await placemarks { geocodeAddressString(addressString, completionHandler: $0) }
  }

  /// Asks where the place of a name or an address is, in a region first.
  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      geocodeAddressString(addressString, in: region, completionHandler: $0)
    }
  }

  /// Asks where the place of a name or an address is, in a region first.
  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      geocodeAddressString(
        addressString, in: region, preferredLocale: locale, completionHandler: $0)
    }
  }

  nonisolated(nonsending) private func placemarks(
    _ ask: (@escaping CLGeocodeCompletionHandler) -> Void
  ) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation { continuation in
      ask { placemarks, error in
        guard let placemarks else {
          let error = error ?? CLError(.geocodeFoundNoResult)
          return continuation.resume(throwing: error)
        }
        // Safe: placemarks never change.
        nonisolated(unsafe) let unchanging = placemarks
        continuation.resume(returning: unchanging)
      }
    }
  }
}
