internal import Tracking

/// A manager's request for one location.
struct LocationRequest: Sendable {
  /// The latest time of the answer; nil until the time is known.
  private(set) var deadline: Timestamp?
  private(set) var best: Location?
  private var bestAccuracySoFar = Double.infinity
  private var misses = 0
  /// Whether no location has come since the request.
  private var isNew = true
  private let patience: Double
  private let settlesForLess: Bool

  /// The usual limit, seconds.
  ///
  /// Apple documents none; programs measured about 10 s (NativeScript
  /// geolocation, change 203).
  static let usualPatience = 10.0
  /// After this many fixes in a row without improvement the best one is the answer.
  private static let longestPlateau = 3

  init(at now: Timestamp?, within seconds: Double? = nil) {
    patience = seconds ?? Self.usualPatience
    settlesForLess = seconds == nil
    if let now { note(now) }
  }

  /// Sets the time of the request, unless a location has come since.
  mutating func begin(at time: Timestamp) {
    guard isNew else { return }
    isNew = false
    deadline = time.advanced(bySeconds: patience)
  }

  /// Notes the time, which is the time of the request if that was unknown.
  mutating func note(_ now: Timestamp) {
    if deadline == nil { deadline = now.advanced(bySeconds: patience) }
  }

  /// Restarts the time limit.
  mutating func forgetTime() { deadline = nil }

  func isOver(at now: Timestamp) -> Bool {
    deadline.map { $0 <= now } ?? false
  }

  /// Takes a location; true when the best one must be delivered.
  mutating func takes(_ location: Location, desired: Double) -> Bool {
    isNew = false
    // The accuracy that a client reads in the location of a fix without one.
    let accuracy = location.fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    if accuracy < bestAccuracySoFar {
      best = location
      bestAccuracySoFar = accuracy
      misses = 0
    } else {
      misses += 1
    }
    return accuracy <= (desired < 0 ? UpdateSettings.bestAccuracy : desired)
      || settlesForLess && misses >= Self.longestPlateau
  }
}
