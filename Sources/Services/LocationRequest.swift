internal import Tracking

/// A manager's request for one location.
struct LocationRequest: Sendable {
  /// When it is answered at the latest; nil until the time is known.
  private(set) var deadline: Timestamp?
  private(set) var best: Report?
  private var bestAccuracySoFar = Double.infinity
  private var misses = 0
  /// Whether nothing came since it was made.
  private var isNew = true
  private let patience: Double
  private let settlesForLess: Bool

  /// Apple documents no time; programs measured about 10 s (NativeScript geolocation, change 203).
  static let usualPatience = 10.0
  /// After so many fixes in a row that were no better it is taken not to improve any more.
  private static let longestPlateau = 3

  init(at now: Timestamp?, within seconds: Double? = nil) {
    patience = seconds ?? Self.usualPatience
    settlesForLess = seconds == nil
    if let now { note(now) }
  }

  /// It was made at this time, unless it has waited for some time already.
  mutating func begin(at time: Timestamp) {
    guard isNew else { return }
    isNew = false
    deadline = time.advanced(bySeconds: patience)
  }

  /// It is this late, which is how late it was when it was made, if that was not known.
  mutating func note(_ now: Timestamp) {
    if deadline == nil { deadline = now.advanced(bySeconds: patience) }
  }

  /// The time begins anew.
  mutating func forgetTime() { deadline = nil }

  func isOver(at now: Timestamp) -> Bool {
    deadline.map { $0 <= now } ?? false
  }

  /// Takes a report; true when the best one is to be delivered.
  mutating func takes(_ report: Report, desired: Double) -> Bool {
    isNew = false
    // What a client reads in the location of a fix that tells none.
    let accuracy = report.fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    if accuracy < bestAccuracySoFar {
      best = report
      bestAccuracySoFar = accuracy
      misses = 0
    } else {
      misses += 1
    }
    return accuracy <= (desired < 0 ? UpdateSettings.bestAccuracy : desired)
      || settlesForLess && misses >= Self.longestPlateau
  }
}
