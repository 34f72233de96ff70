internal import Foundation
internal import Geocoding

/// The reason why a request ended without places.
enum GeocodingFailure: Error, Sendable {
  /// The geocoder has another request in progress.
  case busy
  /// `cancelGeocode` was called.
  case cancelled
  /// Too many requests within the window.
  case throttled(RequestWindow, wait: Duration)
  /// An error of the provider, or an invalid request.
  case provider(GeocoderError)
}

extension CLError {
  /// The error for a completion handler, with the reason as its description.
  init(_ failure: GeocodingFailure) {
    switch failure {
    case .busy:
      self.init(
        .geocodeCanceled,
        "this geocoder has a request in progress; wait for the answer, call cancelGeocode() first, "
          + "or use another CLGeocoder")
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
    // Programs written for Apple's systems look for this underlying error and its keys.
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
