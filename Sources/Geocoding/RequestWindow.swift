/// A rate limit: a number of requests in a sliding span of time.
///
/// It stores at most `limit` instants.
package struct RequestWindow: Sendable {
  /// The most requests within ``span``.
  package let limit: Int
  /// The span of time.
  package let span: Duration
  /// The times of the requests in the last span, oldest first, since any fixed instant.
  private var admitted: [Duration] = []

  /// Makes a window without requests.
  package init(limit: Int, span: Duration) {
    self.limit = limit
    self.span = span
  }

  /// Whether a request made now is within the limit; a rejected one does not count.
  ///
  /// - Parameter now: Not before that of the last call.
  /// - Complexity: O(`limit`).
  package mutating func admit(at now: Duration) -> Bool {
    admitted.removeAll { now - $0 >= span }
    guard admitted.count < limit else { return false }
    admitted.append(now)
    return true
  }

  /// The time from now until the next request is admitted, at least 0.
  package func wait(at now: Duration) -> Duration {
    guard admitted.count >= limit, let oldest = admitted.first else { return .zero }
    return max(.zero, oldest + span - now)
  }
}
