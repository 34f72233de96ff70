internal import Foundation
internal import Geocoding

/// What a `CLGeocoder` needs of a location service: the provider, and its rate limit.
struct GeocodingContext: Sendable {
  /// The provider.
  let geocoder: any Geocoder
  /// The default language of names as a BCP 47 tag; nil leaves it to the provider.
  var language: String?
  /// Shared by all geocoders of a service.
  let rateLimiter: GeocodingRateLimiter
  /// The time since some fixed instant, for the sliding rateLimiter.
  let now: @Sendable () -> Duration

  init(
    _ geocoder: any Geocoder, language: String? = nil,
    rateLimiter: GeocodingRateLimiter = GeocodingRateLimiter(limit: nil),
    now: @escaping @Sendable () -> Duration = { systemTime }
  ) {
    self.geocoder = geocoder
    self.language = language
    self.rateLimiter = rateLimiter
    self.now = now
  }

  /// Counts a request; returns the reason to reject it, nil if it may be made.
  func admit() -> GeocodingFailure? { rateLimiter.admit(at: now()) }

  /// The time since the machine was started; no one can set it.
  static var systemTime: Duration {
    .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// The context of the current location service.
  static var current: GeocodingContext { LocationService.current.geocoding }
}
