internal import Tracking

/// A manager's request for one location.
struct LocationRequest: Sendable {
  /// When it is answered at the latest; nil until the time is known.
  private(set) var deadline: Timestamp?
  private(set) var best: Report?
  private var misses = 0

  /// Apple documents no time; programs measured about 10 s (NativeScript geolocation, change 203).
  static let patience = 10.0
  /// "The best" is good enough at this accuracy, metres: what a receiver under open sky gives.
  private static let bestAccuracy = 5.0
  /// After so many fixes in a row that were no better it is taken not to improve any more.
  private static let longestPlateau = 3

  init(at now: Timestamp?) {
    deadline = now?.advanced(bySeconds: Self.patience)
  }

  /// It is this late, which is how late it was when it was made, if that was not known.
  mutating func note(_ now: Timestamp) {
    if deadline == nil { deadline = now.advanced(bySeconds: Self.patience) }
  }

  /// The time begins anew.
  mutating func forgetTime() { deadline = nil }

  func isOver(at now: Timestamp) -> Bool {
    deadline.map { $0 <= now } ?? false
  }

  /// Takes a report; true when the best one is to be delivered.
  mutating func takes(_ report: Report, desired: Double) -> Bool {
    let accuracy = report.fix.horizontalAccuracy ?? .infinity
    if best == nil || accuracy < best?.fix.horizontalAccuracy ?? .infinity {
      best = report
      misses = 0
    } else {
      misses += 1
    }
    return accuracy <= (desired < 0 ? Self.bestAccuracy : desired)
      || misses >= Self.longestPlateau
  }
}
