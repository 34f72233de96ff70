internal import Geocoding
internal import Locking

/// The limit on requests of all geocoders of a location service together.
final class GeocodingRateLimiter: Sendable {
  /// Nil without a limit.
  private let window: Mutex<RequestWindow?>

  /// - Parameter limit: Most requests in a minute; nil for no limit.
  init(limit: Int?) {
    window = Mutex(limit.map { RequestWindow(limit: $0, span: .seconds(60)) })
  }

  /// Counts a request made now; returns the reason to reject it, nil if it may be made.
  func admit(at now: Duration) -> GeocodingFailure? {
    window.withLock { window in
      guard var counted = window else { return nil }
      let isAdmitted = counted.admit(at: now)
      window = counted
      return isAdmitted ? nil : .throttled(counted, wait: counted.wait(at: now))
    }
  }
}
