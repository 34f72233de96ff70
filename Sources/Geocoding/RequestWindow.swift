/// How many requests may be made in a sliding span of time.
///
/// It holds at most `limit` instants.
package struct RequestWindow: Sendable {
  /// The most requests within ``span``.
  package let limit: Int
  /// The span of time.
  package let span: Duration
  /// When the requests of the last span were made, oldest first, as time since any fixed instant.
  private var admitted: [Duration] = []

  /// Makes a window that has seen no request.
  package init(limit: Int, span: Duration) {
    self.limit = limit
    self.span = span
  }

  /// Counts a request made now, and says whether it is within the limit; one that is refused does
  /// not count.
  package mutating func admit(at now: Duration) -> Bool {
    admitted.removeAll { now - $0 >= span }
    guard admitted.count < limit else { return false }
    admitted.append(now)
    return true
  }

  /// How long to wait from now until a request is admitted again, at least 0.
  package func wait(at now: Duration) -> Duration {
    guard admitted.count >= limit, let oldest = admitted.first else { return .zero }
    return max(.zero, oldest + span - now)
  }
}
