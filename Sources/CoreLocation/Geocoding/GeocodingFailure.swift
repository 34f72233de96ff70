internal import Foundation
internal import Geocoding

/// Why a request of a geocoder ended without places.
enum GeocodingFailure: Error, Sendable {
  /// Another request of the same geocoder is not answered yet.
  case busy
  /// `cancelGeocode` was called.
  case cancelled
  /// Too many requests were made in a span of time.
  case throttled(RequestWindow, wait: Duration)
  /// What the provider, or the making of the request, says.
  case provider(GeocoderError)
}

extension CLError {
  /// The error that a completion handler is given, with the reason as its description.
  init(_ failure: GeocodingFailure) {
    switch failure {
    case .busy:
      self.init(
        .geocodeCanceled,
        "this geocoder has not answered its last request yet; wait for the answer, call "
          + "cancelGeocode() first, or use another CLGeocoder")
    case .cancelled:
      self.init(.geocodeCanceled, "cancelGeocode() was called")
    case .throttled(let window, let wait):
      self.init(throttledBy: window, wait: wait)
    case .provider(let error):
      self.init(Code(error), error.description)
    }
  }

  private init(throttledBy window: RequestWindow, wait: Duration) {
    let seconds = { (time: Duration) in Int(time.components.seconds) }
    let reset = seconds(wait) + (wait.components.attoseconds > 0 ? 1 : 0)
    let why =
      "more than \(window.limit) requests in \(seconds(window.span)) s; "
      + "try again in \(reset) s"
    // Programs made for Apple's systems look for this underlying error and its keys.
    let underlying = NSError(
      domain: "GEOErrorDomain", code: -3,
      userInfo: [
        NSLocalizedDescriptionKey: why, "maxRequests": window.limit,
        "windowSize": seconds(window.span), "timeUntilReset": reset,
      ])
    self.init(.network, why, userInfo: [NSUnderlyingErrorKey: underlying])
  }

  private init(_ code: Code, _ description: String, userInfo: [String: Any] = [:]) {
    var userInfo = userInfo
    userInfo[NSLocalizedDescriptionKey] = description
    self.init(code, userInfo: userInfo)
  }
}

extension CLError.Code {
  fileprivate init(_ error: GeocoderError) {
    self =
      switch error {
      case .noResult, .invalidRequest: .geocodeFoundNoResult
      case .partialResult: .geocodeFoundPartialResult
      case .network: .network
      case .cancelled: .geocodeCanceled
      }
  }
}
