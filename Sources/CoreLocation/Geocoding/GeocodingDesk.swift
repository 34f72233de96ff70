internal import Foundation
internal import Geocoding

/// What a geocoder needs of a location service: whom to ask, and how often it may.
struct GeocodingDesk: Sendable {
  /// Whom to ask.
  let geocoder: any Geocoder
  /// The language of names where a caller names none, as a BCP 47 tag; nil leaves it to the geocoder.
  var language: String?
  /// Shared by all geocoders of a service.
  let window: GeocodingWindow
  /// The time since any fixed instant, by which the window slides.
  let now: @Sendable () -> Duration

  init(
    _ geocoder: any Geocoder, language: String? = nil,
    window: GeocodingWindow = GeocodingWindow(limit: nil),
    now: @escaping @Sendable () -> Duration = { systemTime }
  ) {
    self.geocoder = geocoder
    self.language = language
    self.window = window
    self.now = now
  }

  /// Counts a request; what stands against it, nil when it may be made.
  func admit() -> GeocodingFailure? { window.admit(at: now()) }

  /// The time since the machine was started, which nobody sets.
  static var systemTime: Duration {
    .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// The desk of the location service in use.
  static var current: GeocodingDesk { LocationService.current.geocoding }
}
