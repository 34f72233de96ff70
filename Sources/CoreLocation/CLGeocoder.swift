public import Foundation
internal import Geocoding
internal import Geodesy

/// Finds the name of a position (reverse geocoding) or the position of a name, one request at a time.
///
/// The configuration of the location service sets the provider; without one every request fails with
/// `CLError.network`. Every completion handler is called exactly once, on the main queue and after
/// the call has returned, with placemarks, the best first, or with a `CLError`:
///
/// - `geocodeFoundNoResult`: the provider found nothing, or the request is invalid; the description
///   says which.
/// - `geocodeFoundPartialResult`: the provider found only a part of the address.
/// - `geocodeCanceled`: ``cancelGeocode()`` was called, or the geocoder has another request in progress.
///   In the second case that request continues and the new one is not made.
/// - `network`: the provider is unavailable, or, with the profile `apple`, all geocoders of the program
///   made more than 50 requests within 60 s.
///
/// A geocoder that is released during a request still calls its handler. The asynchronous methods ignore
/// the cancellation of their task, as on Apple's systems: call ``cancelGeocode()``.
open class CLGeocoder: NSObject {
  private let context: GeocodingContext
  private let task: GeocodingTask

  /// Makes a geocoder that uses the provider of the location service.
  public override init() {
    context = .current
    task = GeocodingTask(context)
    super.init()
  }

  /// Makes a geocoder with a provider and a rate limit.
  init(_ context: GeocodingContext) {
    self.context = context
    task = GeocodingTask(context)
    super.init()
  }

  /// Whether a request is in progress; false as soon as its handler is called.
  open var isGeocoding: Bool { task.isRunning }

  /// Cancels the request in progress, if any; its handler is called with `geocodeCanceled`.
  ///
  /// Another request may be made as soon as this returns.
  open func cancelGeocode() {
    task.cancel()
  }

  /// Finds the placemark of a location, in the language of the system.
  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    reverseGeocodeLocation(location, preferredLocale: nil, completionHandler: completionHandler)
  }

  /// Finds the placemark of a location, in the language of a locale; nil is the system's.
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let (position, language) = (Coordinate(location.coordinate), language(of: locale))
    start(at: location.timestamp, locale, completionHandler) { () throws(GeocoderError) in
      try .reverse(position, language: language)
    }
  }

  /// Finds the placemarks of an address given with the keys of address books.
  ///
  /// The keys are `Street` (or `SubThoroughfare` and `Thoroughfare`), `SubLocality`, `City`,
  /// `SubAdministrativeArea`, `State`, `ZIP` and `Country` (or `CountryCode`). Without any of them it
  /// uses the strings of `FormattedAddressLines` or the `Name`.
  open func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any],
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(AddressText(addressDictionary).line, completionHandler: completionHandler)
  }

  /// Finds the placemarks of a name or an address.
  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(addressString, in: nil, completionHandler: completionHandler)
  }

  /// Finds the placemarks of a name or an address, in a region first.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(
      addressString, in: region, preferredLocale: nil, completionHandler: completionHandler)
  }

  /// Finds the placemarks of a name or an address, in a region first.
  ///
  /// Only a ``CLCircularRegion`` has an effect; any other region counts as nil.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let circle = (region as? CLCircularRegion).map {
      Circle(center: Coordinate($0.center), radius: $0.radius)
    }
    start(addressString, near: circle, locale, completionHandler)
  }

  /// Finds the placemarks of a name or an address, within metres of a centre first.
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
    start(at: Date(), locale, completionHandler) { () throws(GeocoderError) in
      try .forward(text, near: near, language: language)
    }
  }

  private func start(
    at time: Date, _ locale: Locale?, _ completionHandler: @escaping CLGeocodeCompletionHandler,
    _ request: () throws(GeocoderError) -> GeocoderRequest
  ) {
    task.start(
      Result(catching: request),
      GeocodingTask.Handler(call: completionHandler, time: time, locale: locale))
  }

  private func language(of locale: Locale?) -> String? {
    locale?.identifier(.bcp47) ?? context.language
  }

  // In the class and not in an extension, so that a subclass can override them.

  /// Finds the placemark of a location, in the language of the system.
  nonisolated(nonsending) open func reverseGeocodeLocation(
    _ location: CLLocation
  ) async throws -> [CLPlacemark] {
    try await placemarks { reverseGeocodeLocation(location, completionHandler: $0) }
  }

  /// Finds the placemark of a location, in the language of a locale; nil is the system's.
  nonisolated(nonsending) open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
    }
  }

  /// Finds the placemarks of a name or an address.
  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String
  ) async throws -> [CLPlacemark] {
    try await placemarks { geocodeAddressString(addressString, completionHandler: $0) }
  }

  /// Finds the placemarks of a name or an address, in a region first.
  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      geocodeAddressString(addressString, in: region, completionHandler: $0)
    }
  }

  /// Finds the placemarks of a name or an address, in a region first.
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
        // Safe: placemarks are immutable.
        nonisolated(unsafe) let immutable = placemarks
        continuation.resume(returning: immutable)
      }
    }
  }
}
