import Locking
import TestSupport

@testable import CoreLocation
@testable import Services

extension LocationService {
  /// Those who listen to how a session is.
  var listenerCount: Int { state.withLock { $0.sessions.listenerCount } }

  /// Requests for one location that have no answer yet.
  var requestCount: Int { perform { $0.clients.count { $0.request != nil } } }

  /// Gives way until somebody has asked for one location.
  func untilAsked() async throws {
    try await eventually("a request for a location") { requestCount > 0 }
  }
}
